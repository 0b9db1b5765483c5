import JSONScan

/// A permission request as the rules see it: the facts that the agent states in the request, in either version of ACP.
package struct RuledRequest: Equatable, Sendable {
    struct Option: Equatable, Sendable {
        let id: String
        let kind: String
    }

    let agent: String
    /// The session's folder. Nil if it is unknown.
    let folder: String?
    let kind: String?
    /// False if the request states no tool call, or was too long to be kept: its paths and its command are not known.
    let isWhole: Bool
    /// Nil for a path that is not a string. One nil if the paths are not known.
    let paths: [String?]
    let command: RuledCommand
    let options: [Option]

    /// Members of `rawInput` in which agents name the file of a tool call. ACP does not define them. More paths make it
    /// harder for a rule to allow the call.
    private static let pathMembers = ["path", "paths", "file_path", "filePath", "abs_path", "notebook_path"]
    private static let commandMembers = ["command", "cmd"]

    /// - Parameters:
    ///   - params: The params of `session/request_permission`. If they were too long to be kept whole, they have the kind,
    ///     and no `allow` rule with paths or commands matches.
    ///   - folder: The session's folder.
    package init(agent: String, folder: String?, params: [UInt8]) {
        let value = try? JSONValue(validating: params)
        let subject = value?["subject"]
        let call = value?["toolCall"] ?? subject?["toolCall"]
        self.agent = agent
        self.folder = folder
        let isCommand = subject?["type"]?.stringValue == "command"
        kind = call?["kind"]?.stringValue ?? (isCommand ? "execute" : nil)
        isWhole = (call ?? subject) != nil && value?["omittedBytes"] == nil
        paths = isWhole ? Self.paths(call) : [nil]
        command = Self.command(subject, call, isExecution: kind == "execute" || Self.hasTerminal(call))
        options = (value?["options"]?.elements ?? []).compactMap { option in
            guard let id = option["optionId"]?.stringValue, let kind = option["kind"]?.stringValue else { return nil }
            return Option(id: id, kind: kind)
        }
    }

    private static func paths(_ call: JSONValue?) -> [String?] {
        let located = (call?["locations"]?.elements ?? []).map { $0.kind == .object ? $0["path"] : $0 }
        let changed = (call?["content"]?.elements ?? []).filter { $0["type"]?.stringValue == "diff" }.flatMap { diff in
            [diff["path"]] + (diff["changes"]?.elements ?? []).flatMap { [$0["path"], $0["oldPath"]] }
        }
        let given = pathMembers.map { call?["rawInput"]?[$0] }.flatMap { value in
            value?.kind == .array ? value?.elements.map(Optional.some) ?? [] : [value]
        }
        return (located + changed + given).compactMap(\.self).filter { !$0.isNull }.map(\.stringValue)
    }

    /// True if the call shows the output of a command.
    private static func hasTerminal(_ call: JSONValue?) -> Bool {
        (call?["content"]?.elements ?? []).contains { $0["type"]?.stringValue == "terminal" }
    }

    private static func command(_ subject: JSONValue?, _ call: JSONValue?, isExecution: Bool) -> RuledCommand {
        let texts = [subject?["command"]] + commandMembers.map { call?["rawInput"]?[$0] }
        let commands = texts.compactMap(\.self).filter { !$0.isNull }
        // Two commands in one request are not understood.
        guard commands.count <= 1 else { return .unclear(parts: commands.flatMap { RuledCommand($0).parts }) }
        return commands.first.map { RuledCommand($0) } ?? (isExecution ? .unclear(parts: []) : .none)
    }
}
