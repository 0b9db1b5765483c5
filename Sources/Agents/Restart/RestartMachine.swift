/// Decides whether and when an agent that has failed is started again. Pure.
package struct RestartMachine: Sendable, Equatable, Codable {
    /// The restarts since the agent last ran for ``stableTime``.
    private(set) var attempts = 0

    enum Verdict: Equatable {
        case restart(after: Duration)
        case giveUp
    }

    /// An agent that has run for this long is stable: its next failure begins a new series.
    static let stableTime = Duration.seconds(600)
    /// Six minutes in total. A fault that lasts longer needs a person.
    static let attemptLimit = 10
    private static let longestPauseSeconds = 60

    package init() {}

    /// - Parameter time: How long the agent has run.
    mutating func failed(afterRunning time: Duration) -> Verdict {
        if time >= Self.stableTime { attempts = 0 }
        guard attempts < Self.attemptLimit else { return .giveUp }
        let pause = min(Self.longestPauseSeconds, 1 << attempts)
        attempts += 1
        return .restart(after: .seconds(pause))
    }
}
