/// Judges whether the system's clock can be used to delete sessions by age. Pure.
///
/// A clock that was set a year ahead would make every session old enough. So a step is used only after it has lasted:
/// the trusted time follows a clock that does not step, and takes over the system's time when both differ by little, or
/// when the difference has lasted for the trial's time while a bridge ran. A machine that was off for months looks like
/// a clock that was set ahead, and waits for the trial too.
struct TrustedClock: Equatable {
    /// Milliseconds since 1970.
    private(set) var time: Int64
    /// For how many milliseconds of a bridge's running the system's clock has differed from ``time``.
    private(set) var trial: Int64
    private var uptime: Int64?

    /// One request counts for five minutes of the trial at most, so that a suspended machine does not pass it asleep.
    private static let longestStep: Int64 = 5 * 60_000

    /// - Parameters:
    ///   - time: as the log has stored it, or the newest time in the log.
    ///   - trial: as the log has stored it.
    init(time: Int64, trial: Int64 = 0) {
        self.time = time
        self.trial = trial
    }

    /// Returns how many milliseconds the system's clock is ahead of the trusted time; 0 when it can be used.
    mutating func advance(to reading: ClockReading) -> Int64 {
        let elapsed = uptime.map { max(0, reading.uptime.clampedDifference($0)) } ?? 0
        uptime = reading.uptime
        time = time.clampedSum(elapsed)
        let difference = reading.now.clampedDifference(time)
        if difference.magnitude > reading.tolerance {
            trial = trial.clampedSum(min(elapsed, Self.longestStep))
            guard trial >= reading.trial else { return max(0, difference) }
        }
        time = reading.now
        trial = 0
        return 0
    }

    /// A trial is stored each time. Otherwise once an hour is enough, which is the least tolerance.
    func mustBeStored(over stored: TrustedClock?) -> Bool {
        guard let stored else { return true }
        return stored.trial != trial || time.clampedDifference(stored.time).magnitude >= ClockReading.hour.magnitude
    }
}

extension ClockReading {
    fileprivate static let hour: Int64 = 3_600_000

    /// The difference that is taken over at once: the age that sessions are kept for, from an hour to 7 days. It covers a
    /// weekend for those who keep sessions for long.
    fileprivate var tolerance: Int64 { min(max(age, Self.hour), 7 * 24 * Self.hour) }

    /// For how long a larger one must last: the age, from an hour to 24 hours.
    fileprivate var trial: Int64 { min(max(age, Self.hour), 24 * Self.hour) }
}

extension Int64 {
    /// Times come from a file and from a clock, either of which can be wrong.
    fileprivate func clampedDifference(_ other: Int64) -> Int64 {
        let (result, overflow) = subtractingReportingOverflow(other)
        return overflow ? (self < 0 ? .min : .max) : result
    }

    fileprivate func clampedSum(_ other: Int64) -> Int64 {
        let (result, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : result
    }
}
