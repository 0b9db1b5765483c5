/// Detects a dead peer. Bytes of any kind count as a sign of life, and nothing else does, because an agent can think
/// for an hour.
struct Heartbeat {
    typealias Instant = ContinuousClock.Instant

    /// Silence after which the client sends a ping.
    let pingAfter: Duration
    /// Silence after which the peer counts as dead.
    let deadAfter: Duration
    private var heard: Instant
    private var pinged: Instant?

    enum Step { case ping, giveUp }

    init(pingAfter: Duration, deadAfter: Duration, now: Instant) {
        self.pingAfter = pingAfter
        self.deadAfter = deadAfter
        heard = now
    }

    /// The time of the next check.
    var deadline: Instant { min(heard + deadAfter, max(heard, pinged ?? heard) + pingAfter) }

    mutating func heard(at instant: Instant) { heard = max(heard, instant) }

    mutating func step(at now: Instant) -> Step? {
        if now >= heard + deadAfter { return .giveUp }
        guard now >= max(heard, pinged ?? heard) + pingAfter else { return nil }
        pinged = now
        return .ping
    }
}
