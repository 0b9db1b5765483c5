import EventLoop
import Posix

/// A limit on the rate of HTTP requests from each address. Pure.
///
/// Each address has a token bucket. The bucket holds as many requests as can come in a burst, and refills evenly over
/// one minute.
package struct RequestRate {
    private struct Bucket {
        /// Requests that were left at `time`.
        var level: Double
        var time: Instant
    }

    private let perMinute: Int
    private var buckets: [NetworkAddress: Bucket] = [:]
    /// Full buckets are dropped when there are this many buckets. A bucket is 56 bytes.
    private static let bucketLimit = 10_000

    package init(perMinute: Int) { self.perMinute = perMinute }

    /// Returns nil if the request is allowed; otherwise, the number of seconds until it will be.
    package mutating func admit(_ address: NetworkAddress, at now: Instant) -> Int? {
        let household = address.household
        if buckets.count >= Self.bucketLimit { dropFull(at: now) }
        var level = level(of: household, at: now)
        defer { buckets[household] = Bucket(level: level, time: now) }
        guard level >= 1 else { return max(1, Int(((1 - level) / perSecond).rounded(.up))) }
        level -= 1
        return nil
    }

    private var perSecond: Double { Double(perMinute) / 60 }

    private func level(of household: NetworkAddress, at now: Instant) -> Double {
        guard let bucket = buckets[household] else { return Double(perMinute) }
        let seconds = Double((now - bucket.time).nanoseconds) / 1e9
        return min(Double(perMinute), bucket.level + max(0, seconds) * perSecond)
    }

    /// Drops the buckets that are full by now, because a full bucket is the same as none. If no bucket is full, all are
    /// dropped. The alternatives are worse: unbounded memory for many addresses, or refusing every new address.
    private mutating func dropFull(at now: Instant) {
        buckets = buckets.filter { level(of: $0.key, at: now) < Double(perMinute) }
        if buckets.count >= Self.bucketLimit { buckets = [:] }
    }
}
