import Access
import CLI

extension Limits {
    /// The bridge's default limits, overridden by the given settings.
    init(_ settings: [LimitSetting]) {
        self.init()
        for setting in settings { set(setting.name, setting.value) }
    }

    private mutating func set(_ name: LimitName, _ value: Int) {
        switch name {
        case .line: lineBytes = value
        case .message: messageBytes = value
        case .header: headBytes = value
        case .body: bodyBytes = value
        case .unstored: unstoredBytes = value
        case .audit: auditBytes = value
        case .sessionLog: sessionLogBytes = value
        case .connections: connections = value
        case .connectionsPerAddress: connectionsPerAddress = value
        case .requestsPerMinute: requestsPerMinute = value
        case .fileRequestsPerMinute: fileRequestsPerMinute = value
        case .subscriptions: subscriptions = value
        case .sessions: sessions = value
        case .agents: agents = value
        case .admission: admission = .milliseconds(value)
        case .absence: absence = .milliseconds(value)
        case .background: background = .milliseconds(value)
        }
    }
}
