import JSONScan
import SessionOutput
import TerminalText

/// The names of an agent's commands. Pure.
enum AgentCommands {
    /// 500 commands with names of at most 64 bytes. Others are not completed.
    private static let (limit, nameLimitBytes) = (500, 64)

    /// Nil if the entry does not list commands.
    static func names(in entry: TimelineValue, of session: String) -> [String]? {
        guard entry.updateKind == "available_commands_update",
            entry.content["params"]?["sessionId"]?.stringValue == session
        else { return nil }
        return names(entry.update?["availableCommands"])
    }

    /// - Parameter list: The commands as the agent wrote them.
    static func names(_ list: JSONValue?) -> [String] {
        var known: Set<String> = []
        let names = (list?.elements ?? []).compactMap { $0["name"]?.stringValue }
        return Array(names.filter { isName($0) && known.insert($0).inserted }.prefix(limit))
    }

    private static func isName(_ text: String) -> Bool {
        (1...nameLimitBytes).contains(text.utf8.count) && !text.contains(where: \.isWhitespace)
            && TerminalFilter.oneLine(text) == text
    }
}
