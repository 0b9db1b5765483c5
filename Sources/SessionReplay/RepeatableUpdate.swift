import JSONScan

/// The part of a `session/update` line that a comparison with the log needs. An agent can repeat a message in other
/// chunks than before, so the texts are compared and not the lines. Pure.
enum RepeatableUpdate {
    /// The author of a text. A text of version 2 counts as its kind, whole or in chunks.
    enum Speaker: Hashable { case agent, thought }

    case text(Speaker, [UInt8])
    /// The members of a tool call's update as hashes by name, and the hash of the whole update.
    case toolCall(id: String, members: [String: Int], hash: Int)
    /// A prompt. The bridge has stored the prompt when it was sent.
    case echo
    /// An update that replaces the earlier ones of its kind.
    case state(kind: String, hash: Int)
    case other(hash: Int)

    private static let stateKinds: Set<String> = [
        "current_mode_update", "available_commands_update", "usage_update", "config_option_update",
        "session_info_update",
    ]

    /// Nil for a line that is not an update.
    init?(_ line: Span<UInt8>) {
        guard let update = (try? JSONValue(validating: line))?["params"]?["update"] else { return nil }
        switch update["sessionUpdate"]?.stringValue {
        case "agent_message_chunk", "agent_message": self = .text(.agent, Self.text(update["content"]))
        case "agent_thought_chunk", "agent_thought": self = .text(.thought, Self.text(update["content"]))
        case "user_message_chunk", "user_message": self = .echo
        case let kind? where Self.stateKinds.contains(kind): self = .state(kind: kind, hash: Self.hash(update))
        case "tool_call", "tool_call_update":
            let id = update["toolCallId"]?.stringValue ?? ""
            self = .toolCall(id: id, members: Self.members(update), hash: Self.hash(update))
        default: self = .other(hash: Self.hash(update))
        }
    }

    /// The text of a content block or of an array of them. The JSON text of a block that is not text.
    private static func text(_ content: JSONValue?) -> [UInt8] {
        guard let content else { return [] }
        if content.kind == .array { return content.elements.flatMap { text($0) } }
        return content["text"]?.stringValue.map { Array($0.utf8) } ?? Array(content.rawText)
    }

    private static func members(_ update: JSONValue) -> [String: Int] {
        var result: [String: Int] = [:]
        for (name, value) in update.members where name != "sessionUpdate" { result[name] = hash(value) }
        return result
    }

    private static func hash(_ value: JSONValue) -> Int {
        var hasher = Hasher()
        value.rawText.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}
