import JSONScan
import SessionText
import TerminalText
import Tinyvex

/// One part of a session for a document that a person reads.
struct TranscriptBlock: Equatable {
    enum Author: Equatable { case user, agent, thought, subagent }

    enum Content: Equatable {
        /// Text of a person or an agent, usually Markdown. `continues` is true for the rest of a long message.
        case message(Author, String, continues: Bool)
        /// Lines about what happened, such as `✓ Read file`.
        case notes(String)
        /// The output of a tool call, or a change of a file.
        case output(String)
    }

    /// Milliseconds since 1970.
    let ts: Int64
    let content: Content
}

/// Collects a timeline's entries into blocks. Pure.
///
/// Chunks of a message become one block. All other entries are shown with the words of ``SessionRenderer``.
struct Transcript {
    private var renderer = SessionRenderer(hasColour: false, remembers: true, showsContents: false)
    private var open: Message?
    private var notes: (ts: Int64, text: String)?
    /// Messages that are shown, by author and id. ACP version 2 repeats a message as a whole.
    private var shown: Set<String> = []
    private var lastPrompt: String?
    private var outputs: [String: String] = [:]

    /// A longer message or note is shown in several blocks.
    private static let blockLimitBytes = 1 << 20
    /// Ids of messages in `shown`. Beyond these, a repeated message is shown twice.
    private static let shownLimit = 10_000
    /// Tool calls with waiting output. Beyond these, output is shown at once.
    private static let outputsLimit = 256
    /// The output of one tool call. The rest is left out, and a line names its size.
    private static let outputLimitBytes = 64 << 10

    private struct Message {
        let author: TranscriptBlock.Author
        let id: String?
        let ts: Int64
        var text: String
        var continues: Bool
    }

    mutating func add(_ entry: TimelineText) -> [TranscriptBlock] {
        let params = entry.content["params"]
        switch entry.kind {
        case .prompt:
            let prompt = SessionRenderer.promptText(entry.content)
            renderer.omit(prompt: prompt)
            let text = TerminalFilter.lines(prompt)
            lastPrompt = text
            return end() + [TranscriptBlock(ts: entry.ts, content: .message(.user, text, continues: false))]
        case .update:
            guard let update = params?["update"], let kind = update["sessionUpdate"]?.stringValue else { return [] }
            if let author = Self.author(ofChunk: kind) { return chunk(update, author, entry.ts) }
            if let author = Self.author(ofMessage: kind) { return message(update, author, entry.ts) }
            return kind.hasPrefix("tool_call") ? toolCall(update, entry) : note(entry)
        default: return note(entry)
        }
    }

    /// Returns the blocks that waited for more entries.
    mutating func end() -> [TranscriptBlock] { endMessage() + endNotes() }

    // MARK: Messages

    private static func author(ofChunk kind: String) -> TranscriptBlock.Author? {
        switch kind {
        case "agent_message_chunk": .agent
        case "agent_thought_chunk": .thought
        case "user_message_chunk": .user
        case "session_message_chunk": .subagent
        default: nil
        }
    }

    private static func author(ofMessage kind: String) -> TranscriptBlock.Author? {
        switch kind {
        case "agent_message": .agent
        case "agent_thought": .thought
        case "user_message": .user
        case "session_message": .subagent
        default: nil
        }
    }

    private mutating func chunk(
        _ update: JSONValue, _ author: TranscriptBlock.Author, _ ts: Int64
    ) -> [TranscriptBlock] {
        let id = update["messageId"]?.stringValue
        let words = Self.words(update["content"])
        if let message = open, message.author == author, message.id == id,
            message.text.utf8.count < Self.blockLimitBytes
        {
            // In its place: a copy of the text for each chunk would make the time quadratic.
            open?.text += words
            return []
        }
        let continues = open.map { $0.author == author && $0.id == id } ?? false
        let done = end()
        open = Message(author: author, id: id, ts: ts, text: words, continues: continues)
        return done
    }

    /// A whole message of ACP version 2 replaces its chunks, or is left out if it was shown.
    private mutating func message(
        _ update: JSONValue, _ author: TranscriptBlock.Author, _ ts: Int64
    ) -> [TranscriptBlock] {
        guard let content = update["content"] else { return [] }
        let words = content.elements.map { Self.words($0) }.joined()
        let id = update["messageId"]?.stringValue
        if let message = open, message.author == author, message.id == id, !message.continues {
            open?.text = words
            return []
        }
        if author == .user, words == lastPrompt { return [] }
        if shown.contains(Self.key(author, id)) { return [] }
        let done = end()
        open = Message(author: author, id: id, ts: ts, text: words, continues: false)
        return done
    }

    private mutating func endMessage() -> [TranscriptBlock] {
        guard let message = open else { return [] }
        open = nil
        if message.id != nil, shown.count < Self.shownLimit { shown.insert(Self.key(message.author, message.id)) }
        if message.author == .user, message.text == lastPrompt { return [] }
        guard !message.text.isEmpty else { return [] }
        let content = TranscriptBlock.Content.message(message.author, message.text, continues: message.continues)
        return [TranscriptBlock(ts: message.ts, content: content)]
    }

    private static func key(_ author: TranscriptBlock.Author, _ id: String?) -> String { "\(author) \(id ?? "")" }

    /// The text of a content block, or the type of another block in brackets.
    private static func words(_ content: JSONValue?) -> String {
        content?["text"]?.stringValue.map(TerminalFilter.lines)
            ?? "[\(TerminalFilter.oneLine(content?["type"]?.stringValue ?? "content"))]"
    }

    // MARK: Notes

    private mutating func note(_ entry: TimelineText) -> [TranscriptBlock] {
        let text = renderer.render(entry.kind, entry.content).text
        guard !text.isEmpty else { return [] }
        let done = endMessage()
        if let earlier = notes, earlier.text.utf8.count < Self.blockLimitBytes {
            notes?.text += text
            return done
        }
        defer { notes = (entry.ts, text) }
        return done + endNotes()
    }

    /// Ends the line of a text that comes in chunks, such as the output of a terminal.
    private mutating func endNotes() -> [TranscriptBlock] {
        let end = renderer.endLine().text
        guard let waiting = notes else { return [] }
        notes = nil
        return [TranscriptBlock(ts: waiting.ts, content: .notes(waiting.text + end))]
    }

    // MARK: Tool calls

    /// The contents of a call are replaced with each update, so they are shown when it has ended.
    private mutating func toolCall(_ update: JSONValue, _ entry: TimelineText) -> [TranscriptBlock] {
        let done = note(entry)
        let id = update["toolCallId"]?.stringValue ?? ""
        if let content = update["content"]?.elements {
            let text = content.compactMap(Self.output).map(TerminalFilter.lines).joined(separator: "\n")
            if outputs.count < Self.outputsLimit || outputs[id] != nil { outputs[id] = text.isEmpty ? nil : text }
        }
        guard ["completed", "failed", "cancelled"].contains(update["status"]?.stringValue),
            let output = outputs.removeValue(forKey: id)
        else { return done }
        let rest = output.utf8.count - Self.outputLimitBytes
        let shown = rest > 0 ? "\(Self.beginning(of: output))\n[\(rest) more bytes]" : output
        return done + end() + [TranscriptBlock(ts: entry.ts, content: .output(shown))]
    }

    private static func beginning(of text: String) -> String {
        String(decoding: text.utf8.prefix(outputLimitBytes), as: UTF8.self)
    }

    private static func output(_ item: JSONValue) -> String? {
        switch item["type"]?.stringValue {
        case "content": item["content"]?["text"]?.stringValue
        case "diff": diff(item)
        default: nil
        }
    }

    /// 5,000 lines. Only the beginning of a longer change is exported.
    private static let diffLimitLines = 5_000

    /// A change of a file in ACP version 1.
    private static func diff(_ item: JSONValue) -> String? {
        guard let new = item["newText"]?.stringValue else {
            return item["patch"]?["text"]?.stringValue ?? item["diff"]?.stringValue
        }
        let difference = LineDifference(item["oldText"]?.stringValue ?? "", new, limit: diffLimitLines)
        return (["--- \(item["path"]?.stringValue ?? "")"] + difference.lines).joined(separator: "\n")
    }
}
