import AgentProcess
import ArgumentParsing
import JSONScan

/// Describes how to start an agent. Each profile is one small JSON file.
///
/// `{"name":"claude","title":"Claude Code","command":["npx","-y","…"],"env":{"K":"v"},"homepage":"https://…",
/// "install":"one sentence","passEnv":["MY_KEY"],"limits":{"memory":"4GiB","cpu":"2h"},
/// "restart":"on-failure"}`. All members except `name` and `command` are optional.
package struct AgentProfile {
    package let name: String
    let title: String
    let command: [String]
    /// Variables that override those of the inherited environment.
    let environment: [(name: String, value: String)]
    /// Variables of the bridge's environment that the agent gets in addition to a login session's, if a client names
    /// the agent.
    let passedVariables: [String]
    let limits: ProcessLimits
    /// The agent is started again if it fails while no client has it.
    let restartsOnFailure: Bool
    let homepage: String?
    /// Installation instructions in one sentence.
    let install: String?

    /// An error in a profile file. The text follows the file name and a colon.
    package struct Fault: Error, CustomStringConvertible {
        package let description: String

        init(_ description: String) { self.description = description }
    }

    init(json: [UInt8]) throws(Fault) {
        guard let value = try? JSONValue(validating: json) else { throw Fault("it is not valid JSON") }
        guard let name = value["name"]?.stringValue, !name.isEmpty else { throw Fault("it has no \"name\"") }
        self.name = name
        command = try Self.command(value["command"])
        title = value["title"]?.stringValue ?? name
        environment = try Self.environment(value["env"])
        passedVariables = try Self.names(value["passEnv"])
        limits = try Self.limits(value["limits"])
        restartsOnFailure = try Self.restart(value["restart"])
        homepage = value["homepage"]?.stringValue
        install = value["install"]?.stringValue
    }

    private static func restart(_ value: JSONValue?) throws(Fault) -> Bool {
        switch value?.stringValue {
        case "on-failure": return true
        case "no": return false
        default:
            if value == nil { return false }
            throw Fault(#"its "restart" is neither "on-failure" nor "no""#)
        }
    }

    private static func command(_ value: JSONValue?) throws(Fault) -> [String] {
        let words = value?.elements.map(\.stringValue) ?? []
        guard let program = words.first, program?.isEmpty == false, !words.contains(nil) else {
            throw Fault(#"its "command" is not a list of words like ["my-agent", "--acp"]"#)
        }
        return words.compactMap(\.self)
    }

    private static func environment(_ value: JSONValue?) throws(Fault) -> [(name: String, value: String)] {
        var variables: [(name: String, value: String)] = []
        for (name, value) in value?.members ?? [] {
            guard let text = value.stringValue else { throw Fault("in its \"env\", \(name) is not a string") }
            variables.append((name, text))
        }
        return variables
    }

    private static func names(_ value: JSONValue?) throws(Fault) -> [String] {
        guard let value else { return [] }
        let names = value.elements.map(\.stringValue)
        guard value.kind == .array, !names.contains(where: { $0?.isEmpty != false || $0?.contains("=") == true }) else {
            throw Fault(#"its "passEnv" is not a list of variable names like ["MY_KEY"]"#)
        }
        return names.compactMap(\.self)
    }

    /// `{"memory":"4GiB","cpu":"2h","processes":200,"files":1024}`. An unknown name is an error, because a limit that
    /// does not hold is dangerous.
    private static func limits(_ value: JSONValue?) throws(Fault) -> ProcessLimits {
        var limits = ProcessLimits()
        guard let value else { return limits }
        guard value.kind == .object else { throw Fault(#"its "limits" is not an object"#) }
        for (name, value) in value.members {
            let text = value.stringValue ?? value.rawString
            switch name {
            case "memory": limits.memoryBytes = ByteSize(text)?.bytes
            case "cpu": limits.cpuSeconds = Duration(argument: text).map { Int(clamping: $0.components.seconds) }
            case "processes": limits.processes = Int(text)
            case "files": limits.openFiles = Int(text)
            case "processors": limits.processors = Int(text)
            default:
                let names = ["memory", "cpu", "processes", "files", "processors"]
                let hint = nearest(to: name, among: names).map { "; did you mean \($0)?" } ?? ""
                throw Fault(#"in its "limits", \#(name) is unknown\#(hint)"#)
            }
            guard let stored = limits.value(named: name), stored > 0 else {
                throw Fault(#"in its "limits", \#(name) has the invalid value \#(text)"#)
            }
        }
        return limits
    }

    func environment(over base: [SystemString]) -> [SystemString] {
        let names = Set(environment.map { Array($0.name.utf8) })
        let kept = base.filter { variable in !names.contains(Array(variable.bytes.prefix { $0 != UInt8(ascii: "=") })) }
        return kept + environment.map { SystemString("\($0.name)=\($0.value)") }
    }
}

extension ProcessLimits {
    fileprivate func value(named name: String) -> Int? {
        switch name {
        case "memory": memoryBytes
        case "cpu": cpuSeconds
        case "processes": processes
        case "files": openFiles
        case "processors": processors
        default: nil
        }
    }
}
