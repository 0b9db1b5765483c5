/// Individually measured durations, in nanoseconds.
package struct Latencies {
    private var samples: [Int64] = []

    package init() {}

    package mutating func add(_ nanoseconds: Int64) { samples.append(nanoseconds) }
    package mutating func removeAll() { samples.removeAll(keepingCapacity: true) }

    var count: Int { samples.count }

    /// The nearest rank: the smallest sample that at least `percent` of all samples do not exceed. Nil without samples.
    package func percentile(_ percent: Double) -> Int64? {
        guard !samples.isEmpty else { return nil }
        let rank = (percent / 100 * Double(samples.count)).rounded(.up)
        return samples.sorted()[min(samples.count, max(1, Int(rank))) - 1]
    }

    package static func + (a: Latencies, b: Latencies) -> Latencies {
        var sum = a
        sum.samples += b.samples
        return sum
    }
}
