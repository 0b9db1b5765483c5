import ArgumentParsing

/// A new value for one of the bridge's limits: `connections=100`, `line=128MiB`, `admission=5s`.
package struct LimitSetting: Equatable, Sendable {
    package let name: LimitName
    /// Bytes, a count or milliseconds, according to the name.
    package let value: Int

    package init(_ name: LimitName, _ value: Int) {
        self.name = name
        self.value = value
    }
}

/// The limits that can be set.
package enum LimitName: String, CaseIterable, Sendable {
    case line, message, header, body, file, files, unstored, audit
    case sessionLog = "session-log"
    case bridgeLog = "bridge-log"
    case connections
    case connectionsPerAddress = "connections-per-address"
    case requestsPerMinute = "requests-per-minute"
    case fileRequestsPerMinute = "file-requests-per-minute"
    case subscriptions, sessions, agents
    case admission
    case keepAlive = "keep-alive"
    case absence, background
    case agentMemory = "agent-memory"
    case agentProcessorTime = "agent-cpu"
    case agentProcesses = "agent-processes"
    case agentFiles = "agent-files"
    case agentProcessors = "agent-processors"

    enum Unit { case bytes, count, time }

    var unit: Unit {
        switch self {
        case .line, .message, .header, .body, .file, .files, .unstored, .audit, .sessionLog, .bridgeLog, .agentMemory:
            .bytes
        case .connections, .connectionsPerAddress, .requestsPerMinute, .fileRequestsPerMinute, .subscriptions,
            .sessions, .agents, .agentProcesses, .agentFiles, .agentProcessors:
            .count
        case .admission, .keepAlive, .absence, .background, .agentProcessorTime: .time
        }
    }

    /// The allowed values. Smaller ones would lock out all clients; larger ones would not be a limit.
    var range: ClosedRange<Int> {
        switch unit {
        case .bytes: 1 << 10...1 << 40
        case .count: 1...1_000_000_000
        case .time: 1...86_400_000
        }
    }
}

extension LimitSetting: ArgumentValue {
    package static let choices = LimitName.allCases.map(\.rawValue)
    package static let expectation = "NAME=VALUE, such as connections=100, line=128MiB or admission=5s"

    /// `line, … and audit in bytes (64MiB); connections, … in counts; admission, absence and background in
    /// time (10s)`
    package static let help = [
        (LimitName.Unit.bytes, "in bytes (64MiB)"), (.count, "in counts"), (.time, "in time (10s)"),
    ].map { unit, text in
        "\(LimitName.allCases.filter { $0.unit == unit }.map(\.rawValue).joined(with: "and")) \(text)"
    }.joined(separator: "; ")

    package init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let name = LimitName(rawValue: String(parts[0])),
            let value = Self.value(String(parts[1]), name.unit), name.range.contains(value)
        else { return nil }
        self.init(name, value)
    }

    package static func correction(of argument: String) -> ValueCorrection {
        let word = String(argument.prefix { $0 != "=" })
        let form: String? =
            switch LimitName(rawValue: word)?.unit {
            case .bytes: "\(word)=VALUE with a size from 1KiB to 1TiB, such as 64MiB"
            case .count: "\(word)=VALUE with a count from 1 to 1000000000, such as 100"
            case .time: "\(word)=VALUE with a time up to 1d, such as 10s"
            case nil: nil
            }
        let meant = form == nil ? nearest(to: word, among: choices) : nil
        return ValueCorrection(expectation: form ?? expectation, nearest: meant)
    }

    private static func value(_ text: String, _ unit: LimitName.Unit) -> Int? {
        switch unit {
        case .bytes: ByteSize(text)?.bytes
        case .count: Int(digits: text)
        case .time:
            Duration(argument: text).map { $0.components }.map {
                Int($0.seconds) * 1000 + Int($0.attoseconds / 1_000_000_000_000_000)
            }
        }
    }
}
