import JSONScan

/// The updates of a tool call. Version 2 announces a call with its first `tool_call_update`; version 1 has the
/// kind `tool_call` for that.
enum ToolCallUpdate {
    struct Call {
        let id: String
        let title: String
        /// The name of the tool that the model called.
        let name: String
        /// `ToolKind` of ACP.
        let kind: String
        var isCancellable = false
    }

    static func begin(
        _ call: Call, version: ProtocolVersion, _ members: (inout JSONWriter) -> Void = { _ in }
    ) -> [UInt8] {
        SessionUpdate.object(version == .one ? "tool_call" : "tool_call_update") { update in
            update.member("toolCallId", call.id)
            update.member("title", call.title)
            if version == .two { update.member("name", call.name) }
            update.member("kind", call.kind)
            update.member("status", "pending")
            if call.isCancellable { update.memberObject("capabilities") { $0.memberObject("cancel") { _ in } } }
            members(&update)
        }
    }

    static func status(_ id: String, _ status: String, _ members: (inout JSONWriter) -> Void = { _ in }) -> [UInt8] {
        SessionUpdate.object("tool_call_update") {
            $0.member("toolCallId", id)
            $0.member("status", status)
            members(&$0)
        }
    }

    /// The last update of a call, with text as its content if there is any.
    static func end(_ id: String, _ status: String, text: String? = nil) -> [UInt8] {
        self.status(id, status) { update in
            guard let text else { return }
            update.memberArray("content") { $0.object { writeText(text, to: &$0) } }
        }
    }

    private static func writeText(_ text: String, to content: inout JSONWriter) {
        content.member("type", "content")
        content.member("content", raw: SessionUpdate.textBlock(text))
    }
}
