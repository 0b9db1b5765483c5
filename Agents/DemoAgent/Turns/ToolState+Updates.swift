import JSONScan

extension ToolState {
    mutating func begin(_ tool: Tool) -> [UInt8] {
        open = tool
        failure = nil
        if tool == .edit, setting.rejectsEdits { failure = "Edits are rejected in this session" }
        if tool == .edit, hasReadFailed { failure = "demo-notes.md could not be read, so it is not overwritten" }
        return SessionUpdate.object("tool_call") { update in
            writeCall(tool, to: &update)
            switch tool {
            case .read: update.memberObject("rawInput") { $0.member("path", path) }
            case .edit: update.memberArray("content") { writeDiff(to: &$0) }
            case .execute:
                update.memberObject("rawInput") { input in
                    input.member("command", "echo")
                    input.memberArray("args") { for argument in arguments { $0.element(argument) } }
                }
            }
        }
    }

    func run(_ tool: Tool) -> [UInt8] {
        SessionUpdate.object("tool_call_update") {
            $0.member("toolCallId", callID(tool))
            $0.member("status", "in_progress")
        }
    }

    mutating func finish(_ tool: Tool) -> [UInt8] {
        let failure = failure
        open = nil
        self.failure = nil
        return SessionUpdate.object("tool_call_update") { update in
            update.member("toolCallId", callID(tool))
            update.member("status", failure == nil ? "completed" : "failed")
            // Absent content is unchanged: the diff of the edit, the terminal of the command.
            if let text = failure ?? result(of: tool) {
                update.memberArray("content") { Self.writeText(text, to: &$0) }
            }
            if tool == .execute, let output { update.memberObject("rawOutput") { $0.member("output", output) } }
        }
    }

    func terminalUpdate() -> [UInt8]? {
        guard let terminalID else { return nil }
        return SessionUpdate.object("tool_call_update") { update in
            update.member("toolCallId", callID(.execute))
            update.memberArray("content") { content in
                content.object {
                    $0.member("type", "terminal")
                    $0.member("terminalId", terminalID)
                }
            }
        }
    }

    /// Writes the members that a `tool_call` and the `toolCall` of a permission request have in common.
    func writeCall(_ tool: Tool, to update: inout JSONWriter) {
        update.member("toolCallId", callID(tool))
        update.member("title", title(of: tool))
        update.member("kind", tool.rawValue)
        update.member("status", "pending")
        guard tool != .execute else { return }
        update.memberArray("locations") { locations in locations.object { $0.member("path", path) } }
    }

    func writeDiff(to content: inout JSONWriter) {
        content.object { diff in
            diff.member("type", "diff")
            diff.member("path", path)
            if let oldText { diff.member("oldText", oldText) } else { diff.memberNull("oldText") }
            diff.member("newText", newText)
        }
    }

    private func result(of tool: Tool) -> String? {
        switch tool {
        case .read:
            switch notes {
            case .unread: "This client offers no files; the notes are imagined."
            case .missing: "There is no demo-notes.md yet."
            case .text(let text): text
            }
        case .edit: nil
        case .execute: terminalID == nil && output == nil ? arguments.joined(separator: " ") + "\n" : nil
        }
    }

    private static func writeText(_ text: String, to content: inout JSONWriter) {
        content.object { item in
            item.member("type", "content")
            item.memberObject("content") {
                $0.member("type", "text")
                $0.member("text", text)
            }
        }
    }
}
