import ACPRouting
import EventLoop
import JSONRPC

/// The time that permission requests wait while no client is attached to the agent, and who has set it.
struct PermissionLimit {
    /// Nil means no limit.
    let time: Duration?
    /// False if it is the bridge's setting, which can change when another program replaces the bridge.
    let isOwn: Bool

    /// - Parameters:
    ///   - own: The limit in the request that started the agent.
    ///   - bridge: The bridge's setting, for agents without a limit of their own.
    init(own: Duration? = nil, ofBridge bridge: Duration? = nil) {
        time = own ?? bridge
        isOwn = own != nil
    }
}

/// Limits the time that permission requests wait while no client is attached to the agent.
@LoopActor final class PermissionClock {
    /// The key of one request. The time is included because an agent can reuse an id.
    struct Key: Hashable {
        let id: RequestID
        /// Milliseconds since 1970.
        let since: Int64
    }

    /// Nil means no limit.
    let limit: Duration?
    private let scheduler: any TimerScheduler
    private var timers: [Key: Timer] = [:]

    init(limit: Duration?, scheduler: any TimerScheduler) {
        self.limit = limit
        self.scheduler = scheduler
    }

    /// Runs timers for these requests only. Timers of other requests are cancelled.
    func run(for pending: [AgentRequest], lapsed: @escaping @LoopActor (Key) -> Void) {
        guard let limit else { return }
        let keys = Set(pending.map { Key(id: $0.id, since: $0.since) })
        for (key, timer) in timers where !keys.contains(key) {
            timer.cancel()
            timers[key] = nil
        }
        for key in keys where timers[key] == nil {
            timers[key] = scheduler.schedule(after: limit) { lapsed(key) }
        }
    }
}
