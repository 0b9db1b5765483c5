import JSONScan

/// Stored updates of one version of ACP in the form of the other, as far as it has one: messages, tool calls with texts, the
/// title and the usage. Child sessions are left out.
enum StoredUpdate {
    /// Returns the updates in place of one of the other version: none if the version has no such update.
    static func converted(_ stored: [UInt8], to version: ProtocolVersion) -> [[UInt8]] {
        guard let update = try? JSONValue(validating: stored), let kind = update["sessionUpdate"]?.stringValue,
            kind != "subagent_update"
        else { return [] }
        switch version {
        case .one: return toVersionOne(stored, update, kind)
        case .two: return toVersionTwo(stored, update, kind)
        }
    }

    private static func toVersionOne(_ stored: [UInt8], _ update: JSONValue, _ kind: String) -> [[UInt8]] {
        switch kind {
        case "user_message", "agent_message", "agent_thought":
            let id = update["messageId"]?.stringValue ?? ""
            return (update["content"]?.elements ?? []).map {
                SessionUpdate.content("\(kind)_chunk", messageID: id, block: $0.rawText)
            }
        case "tool_call_update":
            // Only the first update of a call has a title.
            return [toolCall(update, update["title"] == nil ? kind : "tool_call", without: ["name", "capabilities"])]
        case "state_update", "terminal_update", "terminal_output_chunk", "plan_update", "notice",
            "config_option_update":
            return []
        default: return [stored]
        }
    }

    private static func toVersionTwo(_ stored: [UInt8], _ update: JSONValue, _ kind: String) -> [[UInt8]] {
        switch kind {
        case "tool_call", "tool_call_update": [toolCall(update, "tool_call_update")]
        case "plan", "current_mode_update", "available_commands_update", "config_option_update": []
        default: [stored]
        }
    }

    /// The versions have different diffs and terminals.
    private static func toolCall(_ update: JSONValue, _ kind: String, without names: Set<String> = []) -> [UInt8] {
        SessionUpdate.object(kind) { writer in
            for (name, value) in update.members where name != "sessionUpdate" && !names.contains(name) {
                if name == "content", value.elements.contains(where: { $0["type"]?.stringValue != "content" }) {
                    continue
                }
                // Version 1 has no such status.
                if name == "status", value.stringValue == "cancelled" {
                    writer.member(name, "failed")
                } else {
                    writer.member(name, raw: value.rawText)
                }
            }
        }
    }
}
