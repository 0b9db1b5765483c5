import Posix

/// Limits how long a thread that should not wait can wait: a twentieth of its time, for whatever reason it waits. Pure.
///
/// Work that takes 25 µs can be done 2,000 times a second. After work that took 100 ms, none is allowed for
/// 1.8 s.
struct WaitingBudget {
    private static let share: Int64 = 20
    /// The most time that can be saved up. With 10 ms, one wait for a processor in the middle of an append does not send the next
    /// appends to the writer's thread, which a flood can keep busy for 100 to 200 ms.
    static let most = Duration.milliseconds(10)

    /// Nanoseconds.
    private let most: Int64
    /// Nanoseconds. Below zero if more time was spent than was left.
    private var left: Int64
    private var reckoned: Instant

    init(now: Instant, most: Duration = Self.most) {
        self.most = most.nanoseconds
        left = most.nanoseconds
        reckoned = now
    }

    mutating func allows(at now: Instant) -> Bool {
        // Not a division of durations: it is 128 bits wide, and this is called for each append.
        let regained = (now.nanoseconds - reckoned.nanoseconds) / Self.share
        left = min(most, left + regained)
        reckoned = now
        return left > 0
    }

    /// Subtracts the time from `start` to `end`.
    mutating func spend(from start: Instant, to end: Instant) { left -= end.nanoseconds - start.nanoseconds }
}
