/// How long a thread that must not wait may do so after all: a twentieth of its time, whatever it waits for. Pure.
///
/// What takes 25 µs may be done 2,000 times a second; after one that took 100 ms there is none for two seconds.
struct WaitingBudget {
    typealias Instant = ContinuousClock.Instant

    private static let share = 20
    /// What can be saved up.
    static let most = Duration.milliseconds(1)

    /// Below zero: more was spent than there was.
    private var left = most
    private var reckoned: Instant

    init(now: Instant) { reckoned = now }

    mutating func allows(at now: Instant) -> Bool {
        left = min(Self.most, left + reckoned.duration(to: now) / Self.share)
        reckoned = now
        return left > .zero
    }

    mutating func spend(_ time: Duration) { left -= time }
}
