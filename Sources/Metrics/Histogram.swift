/// Counts durations in fixed buckets. Pure. One observation is a search among at most 16 bounds and two additions.
package struct Histogram: Sendable, Equatable {
    /// Upper bounds of the buckets in nanoseconds, each included in its bucket. They rise.
    package let bounds: [Int64]
    /// The observations of each bucket, not cumulated. The last element counts the durations above all bounds.
    package private(set) var counts: [UInt64]
    /// The sum of all durations, in nanoseconds. It stops at its largest value, after 292 years of durations.
    package private(set) var sum: Int64 = 0

    /// - Parameter bounds: Upper bounds in nanoseconds, which must rise.
    package init(bounds: [Int64]) {
        self.bounds = bounds
        counts = [UInt64](repeating: 0, count: bounds.count + 1)
    }

    /// - Parameter nanoseconds: A negative duration counts as 0.
    package mutating func observe(nanoseconds: Int64) {
        let duration = max(0, nanoseconds)
        var index = 0
        while index < bounds.count, duration > bounds[index] { index += 1 }
        counts[index] &+= 1
        let (total, overflow) = sum.addingReportingOverflow(duration)
        sum = overflow ? .max : total
    }

    /// The number of observations.
    package var count: UInt64 { counts.reduce(0, &+) }
}

extension Histogram {
    private static let microsecond: Int64 = 1_000
    private static let millisecond: Int64 = 1_000_000
    private static let second: Int64 = 1_000_000_000

    /// 10 µs to 10 s: an append into the page cache takes some 3 µs, and one that waits for a disk milliseconds.
    package static var ofLatencies: Histogram {
        let steps: [Int64] = [10, 25, 50, 100, 250, 500]
        return Histogram(
            bounds: steps.map { $0 * microsecond } + [1, 5, 25, 100, 500].map { $0 * millisecond }
                + [1, 2, 5, 10].map { $0 * second })
    }

    /// 1 s to 1 day: the time that people and agents take.
    package static var ofWaits: Histogram {
        Histogram(
            bounds: [1, 2, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 14_400, 86_400].map { $0 * second })
    }
}
