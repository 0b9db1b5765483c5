import ACPRouting
import EventLoop
import JSONRPC
import Tinyvex

/// The requests of an agent's editor that would open sessions of other agents. The bridge answers them with an error, or
/// passes them on after the other agent has given the session up.
@LoopActor final class EditorOpenings {
    /// The sessions that other agents run. Set once, before the first line.
    var conflicts = SessionConflicts.none
    /// Sends a line to the editor. Set once, before the first line.
    var answer: @LoopActor ([UInt8]) -> Void = { _ in }
    /// Passes a line that has waited to the agent. Set once, before the first line.
    var passOn: @LoopActor ([UInt8]) -> Void = { _ in }

    private let time: any TimeSource
    /// The errors for the requests of the current chunk that are withheld from the agent, by their ids.
    private var refusals: [RequestID: Rejection] = [:]
    /// The requests of the current chunk that must wait for another agent.
    private var releasing: Set<RequestID> = []
    private var waiting: [Waiting] = []

    /// A request that waits for another agent.
    private final class Waiting {
        let id: RequestID
        let line: [UInt8]

        init(_ id: RequestID, _ line: [UInt8]) { (self.id, self.line) = (id, line) }
    }

    /// More sessions than an editor opens at once. Further requests are refused.
    private static let waitingLimit = 16
    /// 1 MiB, far more than a request to open a session has. A longer one is refused.
    private static let lineLimitBytes = 1 << 20

    init(time: any TimeSource) { self.time = time }

    /// True if some lines must not reach the agent.
    var arePossible: Bool { conflicts.arePossible() }

    /// True while a request waits for another agent.
    var isWaiting: Bool { !waiting.isEmpty }

    /// True if a line must not reach the agent now. Call ``handle(_:)`` for the line afterwards.
    func withholds(_ line: Span<UInt8>) -> Bool {
        let openings = RequestRouter.openings(line)
        var refused: [RequestID: Rejection] = [:]
        for opening in openings {
            switch conflicts.verdict(opening.session) {
            case .free: break
            case .refused(let refusal): refused[opening.id] = refusal
            case .releasable(let refusal):
                guard openings.count == 1, waiting.count < Self.waitingLimit, line.count <= Self.lineLimitBytes else {
                    refused[opening.id] = refusal
                    break
                }
                releasing.insert(opening.id)
                return true
            }
        }
        // An array of which the agent can answer a part passes whole.
        guard !refused.isEmpty, refused.count == openings.count else { return false }
        refusals.merge(refused) { $1 }
        return true
    }

    /// Handles a line that was withheld from the agent. Returns false for all other lines.
    func handle(_ line: Span<UInt8>) -> Bool {
        guard !refusals.isEmpty || !releasing.isEmpty else { return false }
        var isWithheld = false
        for opening in RequestRouter.openings(line) {
            if let refusal = refusals.removeValue(forKey: opening.id) {
                refuse(opening.id, refusal)
            } else if releasing.remove(opening.id) != nil {
                wait(Waiting(opening.id, line.withUnsafeBufferPointer { Array($0) }), for: opening.session)
            } else {
                continue
            }
            isWithheld = true
        }
        return isWithheld
    }

    /// Call after the last line of a chunk.
    func chunkEnded() { (refusals, releasing) = ([:], []) }

    /// Drops the requests that wait, because the editor has gone.
    func editorGone() { waiting = [] }

    private func wait(_ request: Waiting, for session: String) {
        waiting.append(request)
        conflicts.release(session) { [weak self] refusal in
            guard let self, let index = waiting.firstIndex(where: { $0 === request }) else { return }
            waiting.remove(at: index)
            if let refusal { refuse(request.id, refusal) } else { passOn(request.line) }
        }
    }

    private func refuse(_ id: RequestID, _ refusal: Rejection) {
        answer(refusal.response(to: id, serverTs: time.dateMilliseconds))
    }
}
