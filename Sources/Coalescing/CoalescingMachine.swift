import Tinyvex

/// Decides which stored updates a reader with a policy receives, and in which form. Pure.
///
/// The owner keeps the reader's place and asks for the next step there. It performs a step by moving that place, and
/// gets the same step again until it has done so. While the reader's lag is within the terms, the step is to send
/// everything. Otherwise, until the reader has caught up, the machine asks to see the runs of updates one after
/// another, and decides on each run as a whole. This keeps the order, and never joins or omits updates across a change
/// of kind, a change of message or any other update.
package struct CoalescingMachine: Sendable {
    package enum Step: Equatable, Sendable {
        /// Send the updates up to this one unchanged.
        case send(through: Int64)
        /// Do not send the updates up to this one, and report them as left out.
        case leaveOut(through: Int64)
        /// Do not send the updates up to this one, and report them: a later `merge` step contains them.
        case mergeLater(through: Int64)
        /// Send the next update as one chunk, merged from the updates from this number through that one.
        case merge(from: Int64)
        /// Call `looked` with the run that contains this update.
        case look(at: Int64)
    }

    private enum State: Equatable {
        /// The reader receives everything. Ends when the reader is too far behind.
        case following
        /// The reader is behind, and the run at its place must be examined. Ends with each call of `looked`.
        case catchingUp
        /// These updates are sent unchanged. Ends after they were sent.
        case sending(through: Int64, key: RunKey?)
        /// The part of the run at the reader's place that was examined so far. Ends at the end of the run or of the
        /// log.
        case gathering(UpdateRun, isWhole: Bool)
        /// All updates of the run except the last are left out. Ends after the last one was sent.
        case finishing(UpdateRun, isWhole: Bool)
    }

    /// Maximum total size, in bytes, of the updates that are merged into one chunk. A longer run becomes several
    /// chunks. This is half a reader's page, so that one page holds all of the updates.
    package static let mergeLimitBytes = 128 << 10

    private let terms: PolicyTerms
    private var state = State.following
    /// The run of the update before the reader's place, if it is known.
    private var previous: RunKey?

    package init(_ terms: PolicyTerms) { self.terms = terms }

    /// - Parameters:
    ///   - place: The number of the first update that is not sent yet, not above `head`.
    ///   - head: The last number that is stored.
    ///   - lag: How far the reader is behind at that place.
    package mutating func next(at place: Int64, head: Int64, lag: @autoclosure () -> Lag) -> Step {
        while true {
            switch state {
            case .following:
                if terms.policy == .lossless || !lag().exceeds(terms) {
                    previous = nil
                    return .send(through: head)
                }
                state = .catchingUp
            case .catchingUp: return .look(at: place)
            case .sending(let last, let key):
                if place <= last { return .send(through: last) }
                previous = key
                state = place > head ? .following : .catchingUp
            case .gathering(let run, let isWhole):
                guard isWhole || run.last >= head else { return .look(at: run.last + 1) }
                state = run.count == 1 ? .sending(through: run.last, key: run.key) : .finishing(run, isWhole: isWhole)
            case .finishing(let run, let isWhole):
                if let step = finishingStep(at: place, run) { return step }
                previous = run.key
                // The newest update was sent, so the reader has caught up.
                state = isWhole ? .catchingUp : .following
            }
        }
    }

    private func finishingStep(at place: Int64, _ run: UpdateRun) -> Step? {
        let isMerged = terms.policy == .merge
        if place < run.last { return isMerged ? .mergeLater(through: run.last - 1) : .leaveOut(through: run.last - 1) }
        if place == run.last { return isMerged ? .merge(from: run.first) : .send(through: run.last) }
        return nil
    }

    /// The response to `look`: the run from that number on, or the part of it that is available at once.
    package mutating func looked(_ run: UpdateRun) {
        switch state {
        case .catchingUp: state = begin(run)
        case .gathering(var gathered, _):
            let joins = run.key == gathered.key && !isFull(gathered, with: run)
            if joins {
                gathered.last = run.last
                gathered.byteCount += run.byteCount
            }
            state = .gathering(gathered, isWhole: !joins)
        case .following, .sending, .finishing: break
        }
    }

    /// Call when the reader's place was moved independently of this machine.
    package mutating func forget() {
        state = .following
        previous = nil
    }

    private func begin(_ run: UpdateRun) -> State {
        guard let key = run.key, terms.policy.mayLeaveOut(key.kind) else {
            return .sending(through: run.last, key: nil)
        }
        if terms.policy == .merge || key == previous { return .gathering(run, isWhole: false) }
        return .sending(through: run.first, key: key)
    }

    private func isFull(_ gathered: UpdateRun, with run: UpdateRun) -> Bool {
        terms.policy == .merge && gathered.byteCount + run.byteCount > Self.mergeLimitBytes
    }
}

extension Policy {
    fileprivate func mayLeaveOut(_ kind: ChunkKind) -> Bool {
        switch self {
        case .lossless: false
        case .latest, .merge: true
        case .thoughts: kind == .agentThought
        }
    }

    /// The purpose for which this policy examines runs.
    package var purpose: RunScan.Purpose { self == .merge ? .merging : .leavingOut }
}
