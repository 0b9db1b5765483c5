import Posix

/// Decides when the next commit can begin: at once while requests are few, and 1 ms after the last commit began while
/// they are many.
///
/// SQLite writes whole pages, about 9 KB for a single line. Above about 2,000 commits a second, a short wait halves the
/// bytes written and the CPU time. Below that rate, a wait would only add latency. The pacer counts requests and not
/// commits, because pacing itself makes commits few.
struct Pacer {
    static let interval = Duration.milliseconds(1)
    static let requestsPerSecond = 2_000
    private static let window = Duration.milliseconds(100)

    private var lastCommit: Instant?
    private var windowStart: Instant?
    private var requestsInWindow = 0
    private var isBusy = false

    /// Returns how long to wait before the next commit, usually zero.
    func delay(at now: Instant) -> Duration {
        guard isBusy, let lastCommit else { return .zero }
        // A whole window without a commit means that the rush is over.
        guard let windowStart, now - windowStart < Self.window * 2 else { return .zero }
        return max(.zero, Self.interval - (now - lastCommit))
    }

    mutating func commitBegins(requests: Int, at now: Instant) {
        lastCommit = now
        let elapsed = windowStart.map { now - $0 } ?? .zero
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
