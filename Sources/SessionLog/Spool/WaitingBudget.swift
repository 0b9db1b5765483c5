import Posix

/// Limits how long a thread that should not wait can wait: a twentieth of its time, for whatever reason it waits. Pure.
///
/// Work that takes 25 µs can be done 2,000 times a second. After work that took 100 ms, none is allowed for two
/// seconds.
struct WaitingBudget {
    typealias Instant = ContinuousClock.Instant

    private static let share: Int64 = 20
    /// The most time that can be saved up.
    static let most = Duration.milliseconds(1)

    private let most: Duration
    /// Below zero if more time was spent than was left.
    private var left: Duration
    private var reckoned: Instant

    init(now: Instant, most: Duration = Self.most) {
        self.most = most
        left = most
        reckoned = now
    }

    mutating func allows(at now: Instant) -> Bool {
        // Division of durations is 128 bits wide, and this is called for each append.
        left = min(most, left + .nanoseconds(reckoned.duration(to: now).nanoseconds / Self.share))
        reckoned = now
        return left > .zero
    }

    mutating func spend(_ time: Duration) { left -= time }
}
