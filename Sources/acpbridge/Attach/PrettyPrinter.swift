import JSONScan
import TerminalText

/// The conversation, for a person to read.
struct PrettyPrinter: AttachPrinter {
    let filter: AttachFilter
    let hasColour: Bool
    private var output = OutputBuffer()
    /// What the text on the present line belongs to: chunks of one message run on, anything else begins a line.
    private var running: String?
    private var titles: [String: String] = [:]
    /// What was last shown of each tool call and plan entry: only what has changed is shown again.
    private var statuses: [String: String] = [:]
    /// Of permission requests that nobody has answered, by their ids: what the options are called.
    private var offers: [String: [PermissionQuestion.Option]] = [:]

    /// What was typed on this very terminal stands there already.
    private let hidesPrompt: @Sendable (String) -> Bool

    init(
        filter: AttachFilter, hasColour: Bool,
        hidingPrompts hidesPrompt: @escaping @Sendable (String) -> Bool = { _ in false }
    ) {
        self.filter = filter
        self.hidesPrompt = hidesPrompt
        self.hasColour = hasColour
    }

    mutating func print(_ line: ArraySlice<UInt8>, seq: Int64) throws {
        guard let entry = TimelineEntry(line) else { return }
        guard filter.wants(seq: entry.seq, isUpdate: entry.isUpdate) else { return }
        if let update = entry.update, entry.isUpdate {
            if filter.wantsKind(entry.updateKind) { try show(update, entry.updateKind ?? "") }
        } else {
            try show(entry)
        }
    }

    mutating func flush() throws { try output.flush() }

    mutating func breakOff() throws {
        try endLine()
        try flush()
    }

    /// How an agent ended is an entry of the timeline; other ends are not.
    mutating func sessionEnded(_ reason: String) throws {
        try endLine()
        switch reason {
        case "closed": try line("session closed", .dim)
        case "interrupted": try line("session interrupted: its bridge was killed", .dim)
        default: break
        }
    }

    // MARK: Updates

    private mutating func show(_ update: JSONValue, _ kind: String) throws {
        switch kind {
        case "agent_message_chunk": try chunk(update, kind, .plain)
        case "agent_thought_chunk": try chunk(update, kind, .dim)
        case "user_message_chunk": try chunk(update, kind, .cyan)
        case "tool_call", "tool_call_update": try toolCall(update)
        case "plan": try plan(update)
        case "current_mode_update": try line("mode: \(text(update["currentModeId"]))", .dim)
        default: break
        }
    }

    private mutating func chunk(_ update: JSONValue, _ kind: String, _ style: TerminalText.Style) throws {
        guard let content = update["content"] else { return }
        let words = content["text"]?.stringValue.map(TerminalText.init(lines:)) ?? "[\(text(content["type"]))]"
        let message = kind + (update["messageId"]?.stringValue ?? "")
        if running != message { try endLine() }
        running = message
        try output.append(styled(words, style))
    }

    private mutating func toolCall(_ update: JSONValue) throws {
        let id = text(update["toolCallId"])
        if let title = update["title"]?.stringValue { titles[id] = title }
        guard let status = update["status"]?.stringValue, status != "pending", statuses[id] != status else { return }
        statuses[id] = status
        let style: TerminalText.Style = status == "completed" ? .green : status == "failed" ? .red : .yellow
        let mark = status == "completed" ? "✓" : status == "failed" ? "✗" : "…"
        try line("\(mark) \(titles[id] ?? id)", style)
        for content in update["content"]?.elements ?? [] where content["type"]?.stringValue == "diff" {
            try line("  diff \(text(content["path"]))", .dim)
        }
    }

    private mutating func plan(_ update: JSONValue) throws {
        for entry in update["entries"]?.elements ?? [] {
            let status = text(entry["status"])
            let key = "plan:" + text(entry["content"])
            guard statuses[key] != status else { continue }
            statuses[key] = status
            let mark = ["completed": "[x]", "in_progress": "[>]"][status] ?? "[ ]"
            try line("\(mark) \(text(entry["content"]))", .cyan)
        }
    }

    // MARK: What ACP does not tell

    private mutating func show(_ entry: TimelineEntry) throws {
        let data = entry.content
        switch entry.kind {
        case "prompt":
            if hidesPrompt(entry.promptText) { return }
            let author: TerminalText = data["by"]?.stringValue.map { " (\($0))" } ?? ""
            try line("> \(lines: entry.promptText)\(author)", .bold)
        case "turn_end":
            let reason = data["stopReason"]?.stringValue ?? "error: \(text(data["error"]?["message"]))"
            try line("— \(reason)", .dim)
        case "permission_request":
            let call = data["params"]?["toolCall"]
            try line("? permission: \(call?["title"]?.stringValue ?? titles[text(call?["toolCallId"])] ?? "")", .yellow)
            offers[text(data["requestId"])] = PermissionQuestion.options(entry)
        case "permission_answer": try line("  \(answer(data))", .yellow)
        case "agent_start": try line("agent \(text(data["agent"])) started", .dim)
        case "agent_exit":
            let how = data["exitCode"].map { "with status \($0.rawString)" } ?? "by signal \(text(data["signal"]))"
            try line("agent ended \(how)", .dim)
        default: break
        }
    }

    /// `Allow (uid 1000)`: what was answered, and who did.
    private mutating func answer(_ data: JSONValue) -> TerminalText {
        let offered = offers.removeValue(forKey: text(data["requestId"])) ?? []
        let outcome = data["result"]?["outcome"]
        let id = outcome?["optionId"]?.stringValue
        let other = id ?? outcome?["outcome"]?.stringValue ?? "no answer"
        let choice = offered.first { $0.id == id }?.name ?? TerminalText(oneLine: other)
        return "\(choice) (\(data["by"]?.stringValue ?? "editor"))"
    }

    // MARK: Lines

    private mutating func line(_ text: TerminalText, _ style: TerminalText.Style) throws {
        try endLine()
        try output.append(styled(text, style) + "\n")
    }

    private mutating func endLine() throws {
        if running != nil { try output.append("\n") }
        running = nil
    }

    private func styled(_ text: TerminalText, _ style: TerminalText.Style) -> TerminalText {
        hasColour ? text.styled(style) : text
    }

    private func text(_ value: JSONValue?) -> String { value?.stringValue ?? value?.rawString ?? "" }
}
