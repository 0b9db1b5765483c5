import Tinyvex

/// Decides what a reader under a policy is sent of what lies between its place and the end of the log. Pure.
///
/// It is asked for the next step at the reader's place, which it does not keep: a step is carried out by moving that
/// place, and is given again until it has been. While the reader is not behind by more than the terms allow, the step
/// is to send everything. When it is, until it has caught up, the machine asks to be shown the runs of updates one after
/// another and decides on each as a whole. So order is kept, and nothing is joined or left out across a kind, a
/// message or any other update.
public struct CoalescingMachine: Sendable {
    public enum Step: Equatable, Sendable {
        /// Send the updates up to this one as they stand.
        case send(through: Int64)
        /// Do not send the updates up to this one, and say so.
        case leaveOut(through: Int64)
        /// Do not send the updates up to this one, and say so: they are part of what `merge` comes with.
        case mergeLater(through: Int64)
        /// Send the next update as the chunk that is merged of those from this one up to it.
        case merge(from: Int64)
        /// Call `looked` with the run in which this update stands.
        case look(at: Int64)
    }

    private enum State: Equatable {
        /// The reader gets everything. Left when it is too far behind.
        case following
        /// It is behind, and the run at its place is to be looked at. Left with every look.
        case catchingUp
        /// These are sent as they stand. Left when they have been.
        case passing(through: Int64, key: RunKey?)
        /// The run at its place, as far as it was looked at. Left when its end is known, or the log's is reached.
        case gathering(UpdateRun, isWhole: Bool)
        /// All of the run but its last is left out. Left when that last one was sent.
        case closing(UpdateRun, isWhole: Bool)
    }

    /// Bytes of the updates that are merged into one chunk; a longer run makes several. Half a reader's page, so that
    /// all of them stand in one.
    public static let mergeLimitBytes = 128 << 10

    private let terms: PolicyTerms
    private var state = State.following
    /// The run of the update before the reader's place, where that is known.
    private var previous: RunKey?

    public init(_ terms: PolicyTerms) { self.terms = terms }

    /// - Parameters:
    ///   - place: the number of the first update that is not sent yet, not above `head`.
    ///   - head: the last number that is stored.
    ///   - lag: how far behind that place is.
    public mutating func next(at place: Int64, head: Int64, lag: @autoclosure () -> Lag) -> Step {
        while true {
            switch state {
            case .following:
                if terms.policy == .lossless || !lag().exceeds(terms) {
                    previous = nil
                    return .send(through: head)
                }
                state = .catchingUp
            case .catchingUp: return .look(at: place)
            case .passing(let last, let key):
                if place <= last { return .send(through: last) }
                previous = key
                state = place > head ? .following : .catchingUp
            case .gathering(let run, let isWhole):
                guard isWhole || run.last >= head else { return .look(at: run.last + 1) }
                state = run.count == 1 ? .passing(through: run.last, key: run.key) : .closing(run, isWhole: isWhole)
            case .closing(let run, let isWhole):
                if let step = closingStep(at: place, run) { return step }
                previous = run.key
                // The newest of all was sent, so the reader has caught up.
                state = isWhole ? .catchingUp : .following
            }
        }
    }

    private func closingStep(at place: Int64, _ run: UpdateRun) -> Step? {
        let isMerged = terms.policy == .merge
        if place < run.last { return isMerged ? .mergeLater(through: run.last - 1) : .leaveOut(through: run.last - 1) }
        if place == run.last { return isMerged ? .merge(from: run.first) : .send(through: run.last) }
        return nil
    }

    /// What `look` asked for: the run, or as much as there is of it in one place, from that number on.
    public mutating func looked(_ run: UpdateRun) {
        switch state {
        case .catchingUp: state = begin(run)
        case .gathering(var gathered, _):
            let joins = run.key == gathered.key && !isFull(gathered, with: run)
            if joins {
                gathered.last = run.last
                gathered.byteCount += run.byteCount
            }
            state = .gathering(gathered, isWhole: !joins)
        case .following, .passing, .closing: break
        }
    }

    /// The reader's place was moved without asking.
    public mutating func forget() {
        state = .following
        previous = nil
    }

    private func begin(_ run: UpdateRun) -> State {
        guard let key = run.key, terms.policy.mayLeaveOut(key.kind) else {
            return .passing(through: run.last, key: nil)
        }
        if terms.policy == .merge || key == previous { return .gathering(run, isWhole: false) }
        return .passing(through: run.first, key: key)
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

    /// What the runs are for that it looks at.
    public var purpose: RunScan.Purpose { self == .merge ? .merging : .leavingOut }
}
