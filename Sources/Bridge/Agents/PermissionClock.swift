import EventLoop
import JSONRPC

/// How long what an agent asks to be allowed waits for an answer while nobody has the agent.
@LoopActor final class PermissionClock {
    /// One request. An agent may use an id again.
    struct Key: Hashable {
        let id: RequestID
        /// Milliseconds since 1970.
        let since: Int64
    }

    /// Nil: it waits for ever.
    let limit: Duration?
    private var timers: [Key: Timer] = [:]

    init(limit: Duration?) { self.limit = limit }

    /// Time runs for these, and for no others any more.
    func run(for pending: [AgentRequest], lapsed: @escaping @LoopActor (Key) -> Void) {
        guard let limit else { return }
        let keys = Set(pending.map { Key(id: $0.id, since: $0.since) })
        for (key, timer) in timers where !keys.contains(key) {
            timer.cancel()
            timers[key] = nil
        }
        for key in keys where timers[key] == nil {
            timers[key] = EventLoop.main.schedule(after: limit) { lapsed(key) }
        }
    }
}
