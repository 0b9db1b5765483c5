import EventLoop

/// How often each address may ask over HTTP. Pure.
///
/// Each has a bucket that holds as many requests as may come at once, and is filled again evenly over a minute.
struct RequestRate {
    private struct Bucket {
        /// Requests that may still come, as it was at `time`.
        var level: Double
        var time: Instant
    }

    private let perMinute: Int
    private var buckets: [NetworkAddress: Bucket] = [:]
    /// Full buckets are dropped when there are this many: one is 56 bytes.
    private static let bucketLimit = 10_000

    init(perMinute: Int) { self.perMinute = perMinute }

    /// Nil where the request may come; otherwise in how many seconds it may.
    mutating func take(_ address: NetworkAddress, at now: Instant) -> Int? {
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

    /// Those that would be full now are as good as none. Where none is, everyone begins anew: better than to let a crowd
    /// of addresses grow without end, or to shut out the next.
    private mutating func dropFull(at now: Instant) {
        buckets = buckets.filter { level(of: $0.key, at: now) < Double(perMinute) }
        if buckets.count >= Self.bucketLimit { buckets = [:] }
    }
}
