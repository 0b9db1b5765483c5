/// Decides when the next commit may begin: at once while requests are few, 1 ms after the last began when they are
/// many.
///
/// SQLite writes whole pages, about 9 KB for a lone line. Above some 2,000 commits a second waiting a moment halves
/// that and the CPU time; below, it would only add to the latency. Requests are counted, not commits, as pacing makes
/// commits few.
struct Pacer {
    typealias Instant = ContinuousClock.Instant

    static let interval = Duration.milliseconds(1)
    static let requestsPerSecond = 2_000
    private static let window = Duration.milliseconds(100)

    private var lastCommit: Instant?
    private var windowStart: Instant?
    private var requestsInWindow = 0
    private var isBusy = false

    /// How long to wait, zero most of the time.
    func delay(at now: Instant) -> Duration {
        guard isBusy, let lastCommit else { return .zero }
        // A whole window without a commit means that the rush is over.
        guard let windowStart, windowStart.duration(to: now) < Self.window * 2 else { return .zero }
        return max(.zero, Self.interval - lastCommit.duration(to: now))
    }

    mutating func commitBegins(requests: Int, at now: Instant) {
        lastCommit = now
        let elapsed = windowStart?.duration(to: now) ?? .zero
        if windowStart == nil || elapsed >= Self.window {
            isBusy =
                windowStart != nil
                && Double(requestsInWindow) > Double(Self.requestsPerSecond) * (elapsed / .seconds(1))
            windowStart = now
            requestsInWindow = 0
        }
        requestsInWindow += requests
    }
}
