import SessionRecords

/// Decides whether the system's clock can be used to delete sessions by age. Pure.
///
/// A clock that was set a year ahead would make every session old enough for deletion. So a step of the clock is
/// accepted only after it has lasted. The trusted time follows a clock that does not step. It takes over the system's
/// time in two cases: the two differ by little, or the difference has lasted for the trial's time while a bridge ran. A
/// machine that was off for months cannot be distinguished from a clock that was set ahead, so it also waits for the
/// trial.
struct TrustedClock: Equatable {
    /// Milliseconds since 1970.
    private(set) var time: Int64
    /// The milliseconds of a bridge's running for which the system's clock has differed from ``time``.
    private(set) var trial: Int64
    private var uptime: Int64?

    /// One request counts for at most five minutes of the trial, so that a suspended machine does not complete the
    /// trial while it sleeps.
    private static let longestStep: Int64 = 5 * 60_000

    /// - Parameters:
    ///   - time: The time stored in the log, or the newest time in the log.
    ///   - trial: The trial stored in the log.
    init(time: Int64, trial: Int64 = 0) {
        self.time = time
        self.trial = trial
    }

    /// Returns how many milliseconds the system's clock is ahead of the trusted time, or 0 when the system's clock can
    /// be used.
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

    /// A running trial is stored each time. Otherwise once an hour is enough, because an hour is the smallest
    /// tolerance.
    func mustBeStored(over stored: TrustedClock?) -> Bool {
        guard let stored else { return true }
        return stored.trial != trial || time.clampedDifference(stored.time).magnitude >= ClockReading.hour.magnitude
    }
}

extension ClockReading {
    fileprivate static let hour: Int64 = 3_600_000

    /// A difference up to this is accepted at once: the age for which sessions are kept, but at least an hour and at
    /// most 7 days. For users who keep sessions for long, this covers a weekend.
    fileprivate var tolerance: Int64 { min(max(age, Self.hour), 7 * 24 * Self.hour) }

    /// The time for which a larger difference must last: the age, but at least an hour and at most 24 hours.
    fileprivate var trial: Int64 { min(max(age, Self.hour), 24 * Self.hour) }
}

extension Int64 {
    /// Times come from a file and from a clock, and either can be wrong.
    fileprivate func clampedDifference(_ other: Int64) -> Int64 {
        let (result, overflow) = subtractingReportingOverflow(other)
        return overflow ? (self < 0 ? .min : .max) : result
    }

    fileprivate func clampedSum(_ other: Int64) -> Int64 {
        let (result, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : result
    }
}
