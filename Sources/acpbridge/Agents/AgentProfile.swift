import AgentProcess
import JSONScan

/// How an agent is started: one small JSON file each.
///
/// `{"name":"claude","title":"Claude Code","command":["npx","-y","…"],"env":{"K":"v"},"homepage":"https://…",
/// "install":"one sentence"}`; all but `name` and `command` may be missing.
struct AgentProfile {
    let name: String
    let title: String
    let command: [String]
    /// Laid over the environment the program is started in.
    let environment: [(name: String, value: String)]
    let homepage: String?
    /// How to get it, in one sentence.
    let install: String?

    init?(json: [UInt8]) {
        guard let value = try? JSONValue(validating: json), let name = value["name"]?.stringValue,
            let command = value["command"]?.elements.compactMap(\.stringValue), !command.isEmpty
        else { return nil }
        self.name = name
        self.command = command
        title = value["title"]?.stringValue ?? name
        environment = (value["env"]?.members ?? []).compactMap { name, value in
            value.stringValue.map { (name: name, value: $0) }
        }
        homepage = value["homepage"]?.stringValue
        install = value["install"]?.stringValue
    }

    func environment(over base: [SystemString]) -> [SystemString] {
        let names = Set(environment.map { Array($0.name.utf8) })
        let kept = base.filter { variable in !names.contains(Array(variable.bytes.prefix { $0 != UInt8(ascii: "=") })) }
        return kept + environment.map { SystemString("\($0.name)=\($0.value)") }
    }
}
