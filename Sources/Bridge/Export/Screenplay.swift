import JSONScan
import TerminalText
import Tinyvex

/// A session as a terminal would show it: what each entry adds to the screen, with line feeds alone. Pure.
enum Screenplay {
    private typealias Style = TerminalText.Style

    /// - Parameters:
    ///   - content: the update's notification, or the entry's data.
    ///   - line: what the text on the unfinished line belongs to, before and after.
    /// - Returns: empty for what is not shown.
    static func text(for kind: String, _ content: [UInt8], on line: inout ExportCursor.Line) -> TerminalText {
        guard let kind = TimelineKind(rawValue: kind), let value = try? JSONValue(validating: content) else {
            return ""
        }
        if kind == .update { return update(value["params"]?["update"], on: &line) }
        return entry(kind, value).map { whole($0.text, $0.style, on: &line) } ?? ""
    }

    // MARK: Updates

    private static func update(_ update: JSONValue?, on line: inout ExportCursor.Line) -> TerminalText {
        guard let update else { return "" }
        switch update["sessionUpdate"]?.stringValue {
        case "agent_message_chunk": return chunk(update, .message, .plain, on: &line)
        case "agent_thought_chunk": return chunk(update, .thought, .dim, on: &line)
        case "user_message_chunk": return chunk(update, .user, .cyan, on: &line)
        case "tool_call", "tool_call_update": return toolCall(update).map { whole($0, .yellow, on: &line) } ?? ""
        case "plan":
            let steps = (update["entries"]?.elements ?? []).map { step -> TerminalText in
                "[\(word(step["status"]))] \(word(step["content"]))"
            }
            return steps.isEmpty ? "" : whole(steps.joined(separator: "\n"), .cyan, on: &line)
        default: return ""
        }
    }

    private static func chunk(
        _ update: JSONValue, _ owner: ExportCursor.Line, _ style: Style, on line: inout ExportCursor.Line
    ) -> TerminalText {
        guard let content = update["content"] else { return "" }
        let words = content["text"]?.stringValue.map(TerminalText.init(lines:)) ?? "[\(word(content["type"]))]"
        let breaking: TerminalText = line == .none || line == owner ? "" : "\n"
        line = owner
        return breaking + words.styled(style)
    }

    private static func toolCall(_ update: JSONValue) -> TerminalText? {
        let title = update["title"]?.stringValue ?? update["toolCallId"]?.stringValue ?? ""
        switch update["status"]?.stringValue {
        case "completed": return "✓ \(title)"
        case "failed": return "✗ \(title)"
        default: return update["sessionUpdate"]?.stringValue == "tool_call" ? "… \(title)" : nil
        }
    }

    // MARK: What ACP does not tell

    private static func entry(_ kind: TimelineKind, _ data: JSONValue) -> (text: TerminalText, style: Style)? {
        switch kind {
        case .update: return nil
        case .prompt:
            let words = (data["prompt"]?.elements ?? []).compactMap { $0["text"]?.stringValue }
            return ("> \(lines: words.joined(separator: " "))", .bold)
        case .turnEnd:
            let reason = data["stopReason"]?.stringValue ?? "error: \(word(data["error"]?["message"]))"
            return ("— \(reason)", .dim)
        case .permissionRequest:
            let call = data["params"]?["toolCall"]
            return ("? \(word(call?["title"] ?? call?["toolCallId"]))", .yellow)
        case .permissionAnswer:
            let outcome = data["result"]?["outcome"]
            return ("  \(word(outcome?["optionId"] ?? outcome?["outcome"]))", .yellow)
        case .agentStart: return ("agent \(word(data["agent"])) started", .dim)
        case .agentExit:
            let how = data["exitCode"].map { " with status \($0.rawString)" }
            return ("agent ended\(how ?? data["signal"].map { " by signal \($0.rawString)" } ?? "")", .dim)
        }
    }

    // MARK: Lines

    private static func whole(_ text: TerminalText, _ style: Style, on line: inout ExportCursor.Line) -> TerminalText {
        let breaking: TerminalText = line == .none ? "" : "\n"
        line = .none
        return breaking + text.styled(style) + "\n"
    }

    private static func word(_ value: JSONValue?) -> String { value?.stringValue ?? value?.rawString ?? "" }
}
