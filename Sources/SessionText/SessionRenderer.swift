import JSONScan
import TerminalText
import Tinyvex

/// Renders a session's timeline for a person to read. Pure.
///
/// `attach --pretty`, `prompt`, `attach --take` and recordings use this renderer, so a session looks the same in all of
/// them. Lines end in LF alone.
package struct SessionRenderer: Sendable {
    /// The author of the message on the unfinished line.
    package var line = ExportCursor.Line.none
    /// ``ExportCursor/message(id:)`` of the message on the unfinished line.
    package var message: Int64 = 0

    private let hasColour: Bool
    /// Nil if each entry is rendered independently.
    private var memory: RenderMemory?

    /// - Parameter remembers: True if earlier entries affect the output. Later updates of a tool call then show its
    ///   title, an unchanged status or plan entry is omitted, and an answer shows the name of its option. Without
    ///   memory the pages of a timeline can be rendered separately, with ``line`` and ``message`` passed from page to
    ///   page.
    package init(hasColour: Bool, remembers: Bool) {
        self.hasColour = hasColour
        memory = remembers ? RenderMemory() : nil
    }

    /// - Parameter content: The notification of an update, or the data of another entry.
    /// - Returns: The text to append to the output; empty if a person does not need the entry.
    package mutating func render(_ kind: TimelineKind, _ content: JSONValue) -> TerminalText {
        switch kind {
        case .update: render(update: content["params"]?["update"])
        case .prompt: wholeLine("> \(lines: Self.promptText(content))\(Self.author(content))", .bold)
        case .turnEnd: wholeLine("— \(Self.turnEnd(content))", .dim)
        case .permissionRequest: permissionRequest(content)
        case .permissionAnswer: permissionAnswer(content)
        case .agentStart: wholeLine("agent \(Self.text(content["agent"])) started", .dim)
        case .agentExit: wholeLine("agent ended\(Self.ending(content))", .dim)
        }
    }

    /// Renders the end of a session. The end of its agent is an entry of the timeline; other ends of a session are not.
    ///
    /// - Parameter reason: The reason in `tinyvex/ended`.
    package mutating func render(sessionEnd reason: String) -> TerminalText {
        switch reason {
        case "closed": wholeLine("session closed", .dim)
        case "interrupted": wholeLine("session interrupted: its bridge was killed", .dim)
        default: endLine()
        }
    }

    /// Ends the unfinished line, so that other text can follow.
    package mutating func endLine() -> TerminalText {
        defer { (line, message) = (.none, 0) }
        return line == .none ? "" : "\n"
    }

    /// The text blocks of a prompt entry, with spaces between them.
    package static func promptText(_ content: JSONValue) -> String {
        (content["prompt"]?.elements ?? []).compactMap { $0["text"]?.stringValue }.joined(separator: " ")
    }

    // MARK: Updates

    private mutating func render(update: JSONValue?) -> TerminalText {
        guard let update, let kind = update["sessionUpdate"]?.stringValue else { return "" }
        return switch kind {
        case "agent_message_chunk": chunk(update, .message, .plain)
        case "agent_thought_chunk": chunk(update, .thought, .dim)
        case "user_message_chunk": chunk(update, .user, .cyan)
        case "tool_call", "tool_call_update": toolCall(update, isNew: kind == "tool_call")
        case "plan": plan(update)
        case "current_mode_update": wholeLine("mode: \(Self.text(update["currentModeId"]))", .dim)
        default: ""
        }
    }

    /// Renders one chunk of a message. All chunks of one message continue the same line.
    private mutating func chunk(
        _ update: JSONValue, _ author: ExportCursor.Line, _ style: TerminalText.Style
    ) -> TerminalText {
        guard let content = update["content"] else { return "" }
        let words = content["text"]?.stringValue.map(TerminalText.init(lines:)) ?? "[\(Self.text(content["type"]))]"
        let message = ExportCursor.message(id: update["messageId"]?.stringValue)
        let isContinued = line == author && self.message == message
        let end = isContinued ? "" : endLine()
        (line, self.message) = (author, message)
        return end + styled(words, style)
    }

    private mutating func toolCall(_ update: JSONValue, isNew: Bool) -> TerminalText {
        let id = Self.text(update["toolCallId"])
        let status = update["status"]?.stringValue
        let newTitle = update["title"]?.stringValue
        if let newTitle { memory?.titles[id] = newTitle }
        guard isShown(status, of: id, isNew: isNew) else { return "" }
        let title = newTitle ?? memory?.titles[id] ?? id
        var shown =
            switch status {
            case "completed": wholeLine("✓ \(title)", .green)
            case "failed": wholeLine("✗ \(title)", .red)
            default: wholeLine("… \(title)", .yellow)
            }
        for content in update["content"]?.elements ?? [] where content["type"]?.stringValue == "diff" {
            shown += wholeLine("  diff \(Self.text(content["path"]))", .dim)
        }
        return shown
    }

    /// Returns whether the status of a call must be shown. Without memory a new call is always shown, because later
    /// updates can lack its title.
    private mutating func isShown(_ status: String?, of call: String, isNew: Bool) -> Bool {
        guard let known = memory?.statuses else { return isNew || status == "completed" || status == "failed" }
        guard let status, status != "pending", known[call] != status else { return false }
        memory?.statuses[call] = status
        return true
    }

    private mutating func plan(_ update: JSONValue) -> TerminalText {
        var shown: TerminalText = ""
        for entry in update["entries"]?.elements ?? [] {
            let (step, status) = (Self.text(entry["content"]), Self.text(entry["status"]))
            if let memory, memory.steps[step] == status { continue }
            memory?.steps[step] = status
            let mark = status == "completed" ? "[x]" : status == "in_progress" ? "[>]" : "[ ]"
            shown += wholeLine("\(mark) \(step)", .cyan)
        }
        return shown
    }

    // MARK: Other entries

    private mutating func permissionRequest(_ content: JSONValue) -> TerminalText {
        let call = content["params"]?["toolCall"]
        let id = Self.text(call?["toolCallId"])
        memory?.note(offer: content, requestId: Self.text(content["requestId"]))
        return wholeLine("? permission: \(call?["title"]?.stringValue ?? memory?.titles[id] ?? id)", .yellow)
    }

    /// Renders the chosen option and the user who chose it: `Allow (uid 1000)`.
    private mutating func permissionAnswer(_ content: JSONValue) -> TerminalText {
        let outcome = content["result"]?["outcome"]
        let id = outcome?["optionId"]?.stringValue
        let offered = memory?.takeOffer(Self.text(content["requestId"])) ?? []
        let other = id ?? outcome?["outcome"]?.stringValue ?? "no answer"
        let choice = offered.first { $0.id == id }?.name ?? TerminalText(oneLine: other)
        return wholeLine("  \(choice) (\(content["by"]?.stringValue ?? "editor"))", .yellow)
    }

    private static func author(_ content: JSONValue) -> TerminalText {
        content["by"]?.stringValue.map { " (\($0))" } ?? ""
    }

    private static func turnEnd(_ content: JSONValue) -> String {
        content["stopReason"]?.stringValue ?? "error: \(text(content["error"]?["message"]))"
    }

    private static func ending(_ content: JSONValue) -> String {
        if let code = content["exitCode"] { return " with status \(code.rawString)" }
        return content["signal"].map { " by signal \($0.rawString)" } ?? ""
    }

    // MARK: Lines

    private mutating func wholeLine(_ text: TerminalText, _ style: TerminalText.Style) -> TerminalText {
        endLine() + styled(text, style) + "\n"
    }

    private func styled(_ text: TerminalText, _ style: TerminalText.Style) -> TerminalText {
        hasColour ? text.styled(style) : text
    }

    private static func text(_ value: JSONValue?) -> String { value?.stringValue ?? value?.rawString ?? "" }
}
