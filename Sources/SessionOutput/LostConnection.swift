import TinyvexTransport

/// Decides what to do about a lost connection to the bridge. Pure.
struct LostConnection {
    enum Reaction { case wait, report, giveUp }

    /// 3 s. A bridge that is restarted or replaced is available again within this time. After it, the stop was intended, or a
    /// person has to know.
    private static let restartLimit = Duration.seconds(3)

    private var isReported = false
    private var stopped: ContinuousClock.Instant?
    private var replaced: ContinuousClock.Instant?

    /// Call each time the connection is lost or cannot be made.
    mutating func lost(_ reason: TransportFailure, at now: ContinuousClock.Instant) -> Reaction {
        if case .closed(code: 1012, _) = reason { replaced = now }
        if stopped == nil, case .closed(code: 1001, _) = reason {
            // The end of the session has arrived before, and usually ends the command now.
            stopped = now
            return .wait
        }
        if let stopped, stopped + Self.restartLimit < now { return .giveUp }
        if let replaced, now <= replaced + Self.restartLimit { return .wait }
        defer { isReported = true }
        return isReported ? .wait : .report
    }

    mutating func connected() { self = LostConnection() }
}
