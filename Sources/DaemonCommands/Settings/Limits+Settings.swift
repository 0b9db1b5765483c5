import Access
import AgentProcess
import Invocations

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
        case .file: fileBytes = value
        case .files: filesBytes = value
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
        case .keepAlive: keepAlive = .milliseconds(value)
        case .absence: absence = .milliseconds(value)
        case .background: background = .milliseconds(value)
        case .bridgeLog: break  // See ServeCommand.startLog.
        // See ProcessLimits.
        case .agentMemory, .agentProcessorTime, .agentProcesses, .agentFiles, .agentProcessors: break
        }
    }
}

extension ProcessLimits {
    /// The limits of agents in the given settings. The last setting for a limit is used.
    init(_ settings: [LimitSetting]) {
        self.init()
        for setting in settings {
            switch setting.name {
            case .agentMemory: memoryBytes = setting.value
            // The kernel counts seconds.
            case .agentProcessorTime: cpuSeconds = max(1, setting.value / 1000)
            case .agentProcesses: processes = setting.value
            case .agentFiles: openFiles = setting.value
            case .agentProcessors: processors = setting.value
            default: break
            }
        }
    }
}
