import JSONScan
import TerminalText

/// The words for parts of updates that do not depend on earlier entries. Pure.
package enum UpdateText {
    /// The kinds of update that only ACP version 2 has. Other new kinds also exist in version 1.
    package static let kindsOfVersion2: Set<String> = [
        "user_message", "agent_message", "agent_thought", "state_update", "tool_call_content_chunk",
        "terminal_update", "terminal_output_chunk", "replay_complete",
    ]

    /// A string without its quotes, or the JSON text of another value.
    static func plain(_ value: JSONValue?) -> String { value?.stringValue ?? value?.rawString ?? "" }

    /// The text of a content block, or the type of another block in brackets.
    static func block(_ content: JSONValue) -> TerminalText {
        content["text"]?.stringValue.map(TerminalText.init(lines:)) ?? "[\(plain(content["type"]))]"
    }

    static func blocks(_ content: JSONValue?) -> TerminalText {
        (content?.elements ?? []).map(block).joined(separator: "")
    }

    // MARK: Tool calls and terminals

    /// The changed files and the linked sessions in a tool call's content, in the order of the content.
    static func changes(_ items: [JSONValue]) -> [String] {
        items.flatMap { item -> [String] in
            switch item["type"]?.stringValue {
            case "diff": item["changes"].map { $0.elements.map(change) } ?? ["diff \(plain(item["path"]))"]
            case "session": ["subagent \(plain(item["sessionId"]))"]
            default: []
            }
        }
    }

    private static func change(_ change: JSONValue) -> String {
        let (operation, path) = (plain(change["operation"]), plain(change["path"]))
        let old = change["oldPath"]?.stringValue.map { "\($0) → " } ?? ""
        return "diff \(old)\(path)" + (operation == "modify" ? "" : " (\(operation))")
    }

    /// The command line of a call that runs a command, on one line if its arguments have no line feeds.
    static func command(_ call: JSONValue) -> String? {
        let input = call["rawInput"]
        if let command = input?["command"]?.stringValue {
            return ([command] + (input?["args"]?.elements ?? []).map(plain)).joined(separator: " ")
        }
        guard let words = input?["command"]?.elements, !words.isEmpty else { return nil }
        return words.map(plain).joined(separator: " ")
    }

    static func exit(_ status: JSONValue) -> String {
        if let code = status["exitCode"], !code.isNull { return "exit status \(plain(code))" }
        if let signal = status["signal"], !signal.isNull { return "ended by signal \(plain(signal))" }
        return "ended"
    }

    // MARK: Turns

    /// - Parameter outcome: A `state_update` with `idle`, or the data of a `turn_end` entry.
    static func turnEnd(_ outcome: JSONValue) -> String {
        let reason = outcome["stopReason"]?.stringValue
        let error = outcome["error"]?["message"]?.stringValue
        if reason == "error", let error { return "error: \(error)" }
        if reason == nil, outcome["error"] == nil { return "turn ended" }
        return reason ?? "error: \(plain(outcome["error"]?["message"]))"
    }

    /// The end of a turn in ACP version 2, where the reason can be missing and other work can continue.
    static func idle(_ state: JSONValue) -> String {
        let hasReason = state["stopReason"]?.stringValue != nil || state["error"]?["message"] != nil
        return hasReason ? turnEnd(state) : "idle"
    }

    static func background(_ state: JSONValue) -> String {
        let count = state["background"]?.elements.count ?? 0
        return count == 0 ? "" : " (\(count) in the background)"
    }

    // MARK: Other updates

    static func compaction(_ update: JSONValue, _ status: String) -> String {
        switch status {
        case "in_progress": "compacting the conversation"
        case "completed": "conversation compacted"
        default:
            "compaction \(status)" + (reason(update["error"]).map { ": \($0)" } ?? "")
        }
    }

    /// A compaction's error is a text in the schemas; some agents send an object as for other errors.
    private static func reason(_ error: JSONValue?) -> String? {
        error?.stringValue ?? error?["message"]?.stringValue
    }

    /// The beginning of the text that replaces a compacted context.
    static let summary: TerminalText = "summary: "

    static func notice(_ update: JSONValue) -> String {
        let description = update["description"]?.stringValue.map { ": \($0)" } ?? ""
        return "! \(plain(update["title"]))\(description)"
    }

    static func noticeStyle(_ update: JSONValue) -> TerminalText.Style {
        switch update["severity"]?.stringValue {
        case "error": .red
        case "warning": .yellow
        default: .dim
        }
    }

    /// The session that sent a message and the session that received it, if they are known.
    static func route(_ update: JSONValue) -> TerminalText {
        let from = update["senderSessionId"]?.stringValue.map { " from \($0)" } ?? ""
        let to = update["recipientSessionId"]?.stringValue.map { " to \($0)" } ?? ""
        return "message\(from)\(to): "
    }
}
