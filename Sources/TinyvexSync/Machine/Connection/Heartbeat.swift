/// Whether the other side is there. Judged by bytes of any kind alone: an agent may think for an hour.
struct Heartbeat {
    typealias Instant = ContinuousClock.Instant

    /// Silence after which to ask.
    let pingAfter: Duration
    /// Silence after which nobody is there.
    let deadAfter: Duration
    private var heard: Instant
    private var pinged: Instant?

    enum Step { case ping, giveUp }

    init(pingAfter: Duration, deadAfter: Duration, now: Instant) {
        self.pingAfter = pingAfter
        self.deadAfter = deadAfter
        heard = now
    }

    /// When to look again.
    var deadline: Instant { min(heard + deadAfter, max(heard, pinged ?? heard) + pingAfter) }

    mutating func heard(at instant: Instant) { heard = max(heard, instant) }

    mutating func step(at now: Instant) -> Step? {
        if now >= heard + deadAfter { return .giveUp }
        guard now >= max(heard, pinged ?? heard) + pingAfter else { return nil }
        pinged = now
        return .ping
    }
}
