import JSONScan
import SessionRecords
import Tinyvex

/// The text of one timeline item that a search can find. Pure.
package struct SearchedText: Sendable, Equatable {
    /// The author of the text.
    package enum Kind: String, Sendable, CaseIterable {
        /// A message of the agent.
        case message
        /// A thought of the agent.
        case thought
        /// A prompt.
        case prompt
        /// A message of the user that the agent has repeated or received.
        case userMessage = "user_message"
        /// The title and the paths of a tool call.
        case toolCall = "tool_call"
        /// The entries of a plan.
        case plan
    }

    package let kind: Kind
    /// The text continues in the next item if that item has an equal key. Nil for a text that is complete.
    package let continuation: String?
    package let text: String

    /// 64 KiB: a page of text. The rest of a longer item is not searched, so that one item never fills a whole part of
    /// the index.
    package static let limitBytes = 64 << 10
    /// 1 MiB. A longer line is an image or a file, and is not read. Reading it would hold up the queries.
    package static let lineLimitBytes = 1 << 20

    /// Returns nil if the item has no text to find.
    package init?(_ item: TimelineItem) {
        switch item {
        case .update(_, _, _, let line): self.init(update: line)
        case .entry(_, _, _, let kind, let body): self.init(entry: kind, body)
        }
    }

    private init(_ kind: Kind, _ text: String, continuation: String? = nil) {
        self.kind = kind
        self.continuation = continuation
        self.text = SearchTokens.withoutMarks(Self.beginning(text))
    }

    // MARK: Entries

    private init?(entry kind: String, _ body: [UInt8]) {
        guard TimelineEntryKind(rawValue: kind) == .prompt, body.count <= Self.lineLimitBytes,
            let params = try? JSONValue(validating: body)
        else { return nil }
        let text = Self.text(ofBlocks: params["prompt"])
        guard !text.isEmpty else { return nil }
        self.init(.prompt, text)
    }

    // MARK: Updates

    private init?(update line: [UInt8]) {
        guard line.count <= Self.lineLimitBytes, let envelope = try? scanEnvelope(line.span), !envelope.isAmbiguous,
            let name = envelope.string(in: line.span, at: envelope.updateKind), Self.kinds.contains(name),
            let range = envelope.update, let update = try? JSONValue(validating: line.span.extracting(range))
        else { return nil }
        let session = envelope.string(in: line.span, at: envelope.sessionId) ?? ""
        self.init(name, update, session: session)
    }

    /// The kinds of update that have text.
    private static let kinds: Set<String> = [
        "agent_message_chunk", "agent_thought_chunk", "user_message_chunk", "session_message_chunk", "agent_message",
        "agent_thought", "user_message", "session_message", "tool_call", "tool_call_update", "plan", "plan_update",
    ]

    private init?(_ name: String, _ update: JSONValue, session: String) {
        let (kind, text): (Kind, String)
        switch name {
        case "tool_call", "tool_call_update": (kind, text) = (.toolCall, Self.toolCall(update))
        case "plan": (kind, text) = (.plan, Self.plan(update["entries"]))
        case "plan_update": (kind, text) = (.plan, Self.plan(update["plan"]?["entries"]))
        case "agent_thought_chunk", "agent_thought": (kind, text) = (.thought, Self.words(update["content"]))
        case "user_message_chunk", "user_message": (kind, text) = (.userMessage, Self.words(update["content"]))
        default: (kind, text) = (.message, Self.words(update["content"]))
        }
        guard !text.isEmpty else { return nil }
        let isChunk = name.hasSuffix("_chunk")
        let message = update["messageId"]?.stringValue ?? ""
        self.init(kind, text, continuation: isChunk ? "\(name) \(session) \(message)" : nil)
    }

    /// A chunk has one block, a whole message several.
    private static func words(_ content: JSONValue?) -> String {
        content?.kind == .array ? text(ofBlocks: content) : content.map(block) ?? ""
    }

    private static func text(ofBlocks blocks: JSONValue?) -> String {
        (blocks?.elements ?? []).map(block).filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// A text, or the name and address of a linked or embedded file. Other blocks have no text.
    private static func block(_ block: JSONValue) -> String {
        if let text = block["text"]?.stringValue { return text }
        let address = block["uri"]?.stringValue ?? block["resource"]?["uri"]?.stringValue
        return [block["name"]?.stringValue, address].compactMap(\.self).joined(separator: " ")
    }

    private static func toolCall(_ update: JSONValue) -> String {
        let places = (update["locations"]?.elements ?? []).compactMap { $0["path"]?.stringValue }
        let changes = (update["content"]?.elements ?? []).compactMap { $0["path"]?.stringValue }
        var lines: [String] = []
        for line in [update["title"]?.stringValue].compactMap(\.self) + places + changes where !lines.contains(line) {
            lines.append(line)
        }
        return lines.joined(separator: "\n")
    }

    private static func plan(_ entries: JSONValue?) -> String {
        (entries?.elements ?? []).compactMap { $0["content"]?.stringValue }.joined(separator: "\n")
    }

    private static func beginning(_ text: String) -> String {
        guard text.utf8.count > limitBytes else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: limitBytes)
        while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
        return String(text[..<end])
    }
}
