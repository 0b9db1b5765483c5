import ACPRouting
import EventLoop
import JSONRPC
import JSONScan
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

    /// True if a message of the current chunk was withheld. It must be handled.
    var hasWithheld: Bool { !refusals.isEmpty || !releasing.isEmpty }

    /// True if a message must not reach the agent now. Call ``handle(_:isInArray:)`` for the message afterwards.
    func withholds(_ message: Span<UInt8>, _ envelope: Envelope) -> Bool {
        guard let opening = RequestRouter.opening(message, envelope) else { return false }
        switch conflicts.verdict(opening.session) {
        case .free: return false
        case .refused(let refusal): refusals[opening.id] = refusal
        case .releasable(let refusal):
            if waiting.count + releasing.count < Self.waitingLimit, message.count <= Self.lineLimitBytes {
                releasing.insert(opening.id)
            } else {
                refusals[opening.id] = refusal
            }
        }
        return true
    }

    /// Handles a message that was withheld from the agent. Returns false for all other messages.
    ///
    /// - Parameter isInArray: True if the agent gets it in an array, as the editor has sent it, when it is passed on.
    func handle(_ message: [UInt8], isInArray: Bool) -> Bool {
        guard hasWithheld, let envelope = try? scanEnvelope(message.span), !envelope.isAmbiguous,
            let opening = RequestRouter.opening(message.span, envelope)
        else { return false }
        if let refusal = refusals.removeValue(forKey: opening.id) {
            refuse(opening.id, refusal)
        } else if releasing.remove(opening.id) != nil {
            let line = isInArray ? MessageArray.line(of: [message]) : message
            wait(Waiting(opening.id, line), for: opening.session)
        } else {
            return false
        }
        return true
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
