import Glibc

/// A time of the system's monotonic clock, in nanoseconds. The clock never steps back. Use it for deadlines, never for
/// dates.
package struct Instant: Comparable, Sendable {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    package static var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    package static func < (a: Instant, b: Instant) -> Bool { a.nanoseconds < b.nanoseconds }

    /// A time beyond the clock's range, some 290 years, is its end.
    package static func + (a: Instant, b: Duration) -> Instant {
        let (sum, isBeyond) = a.nanoseconds.addingReportingOverflow(b.nanoseconds)
        return Instant(nanoseconds: isBeyond ? (b < .zero ? .min : .max) : sum)
    }

    package static func - (a: Instant, b: Instant) -> Duration {
        // Cheaper than `Duration.nanoseconds(_:)`, and used for each update.
        Duration(attoseconds: Int128(a.nanoseconds &- b.nanoseconds) * 1_000_000_000)
    }
}

extension Duration {
    /// The whole duration in nanoseconds, clamped to ±292 years.
    package var nanoseconds: Int64 {
        // Cheaper than `components`, and used for each update. A duration below 9 s needs no division of 128 bits.
        if let attoseconds = Int64(exactly: attoseconds) { return attoseconds / 1_000_000_000 }
        return Int64(clamping: attoseconds / 1_000_000_000)
    }
}

/// Returns milliseconds since 1970, the unit of dates in the log and on the wire.
package func wallClockMilliseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}

/// Returns milliseconds since the machine started, including the time for which it was suspended. Unlike
/// ``wallClockMilliseconds()``, this clock never steps.
package func uptimeMilliseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}
