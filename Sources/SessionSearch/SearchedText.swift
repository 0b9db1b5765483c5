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

    private init(_ kind: Kind, _ text: String, continuation: String?) {
        self.kind = kind
        self.continuation = continuation
        self.text = SearchTokens.withoutMarks(Self.beginning(text))
    }

    // MARK: Entries

    init?(entry kind: String, _ body: [UInt8]) {
        guard TimelineEntryKind(rawValue: kind) == .prompt, body.count <= Self.lineLimitBytes,
            let params = try? JSONValue(validating: body)
        else { return nil }
        let text = Self.text(ofBlocks: params["prompt"])
        guard !text.isEmpty else { return nil }
        self.init(.prompt, text, continuation: nil)
    }

    // MARK: Updates

    /// - Parameters:
    ///   - line: Valid JSON.
    ///   - envelope: Of this line.
    ///   - source: Of this line.
    init?(line: Span<UInt8>, _ envelope: Envelope, _ source: SearchedLines.Source) {
        guard let update = envelope.update,
            let text = source.isChunk ? Self.chunk(line, envelope, update) : Self.text(of: source, line, update),
            !text.isEmpty
        else { return nil }
        self.init(source.kind, text, continuation: source.continuation)
    }

    private static func text(of source: SearchedLines.Source, _ line: Span<UInt8>, _ update: Range<Int>) -> String? {
        guard let value = try? JSONValue(validating: line.extracting(update)) else { return nil }
        return switch source.name {
        case "tool_call", "tool_call_update": toolCall(value)
        case "plan": plan(value["entries"])
        case "plan_update": plan(value["plan"]?["entries"])
        default: words(value["content"])
        }
    }

    /// A chunk has one block. Its text is found without a copy of the line.
    private static func chunk(_ line: Span<UInt8>, _ envelope: Envelope, _ update: Range<Int>) -> String? {
        if let content = memberPlace("content", ofObjectAt: update, in: line).range,
            let place = memberPlace("text", ofObjectAt: content, in: line).range,
            let text = envelope.string(in: line, at: place)
        {
            return text
        }
        return (try? JSONValue(validating: line.extracting(update))).map { words($0["content"]) }
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
