/// The importance of an event in the daemon's own log, from the most to the least important.
package enum DiagnosticLevel: String, CaseIterable, Comparable, Sendable {
    /// Data or a service is lost.
    case error
    /// The bridge continues, but a person should know.
    case warning
    /// Rare events of normal operation: starts and ends of the bridge and of agents.
    case info
    /// Each session and each client.
    case debug

    /// Source: syslog(3).
    var syslogPriority: String {
        switch self {
        case .error: "3"
        case .warning: "4"
        case .info: "6"
        case .debug: "7"
        }
    }

    private var rank: Int {
        switch self {
        case .error: 0
        case .warning: 1
        case .info: 2
        case .debug: 3
        }
    }

    package static func < (left: DiagnosticLevel, right: DiagnosticLevel) -> Bool { left.rank < right.rank }
}
