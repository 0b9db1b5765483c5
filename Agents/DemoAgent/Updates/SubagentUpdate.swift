import JSONScan

/// The updates about a child session. They are sent on the stream of its parent.
enum SubagentUpdate {
    static func announcement(of id: String, title: String) -> [UInt8] {
        SessionUpdate.object("subagent_update") {
            $0.member("sessionId", id)
            $0.member("title", title)
            $0.memberObject("capabilities") { $0.memberObject("cancel") { _ in } }
        }
    }

    /// Version 1 reports the state of a child only here.
    static func state(_ state: WorkState, of id: String) -> [UInt8] {
        SessionUpdate.object("subagent_update") {
            $0.member("sessionId", id)
            $0.memberObject("state") { state.write(to: &$0) }
        }
    }

    /// The current grants after a resume. A child that has ended has none.
    static func capabilities(of id: String, canCancel: Bool) -> [UInt8] {
        SessionUpdate.object("subagent_update") { update in
            update.member("sessionId", id)
            update.memberObject("capabilities") { if canCancel { $0.memberObject("cancel") { _ in } } }
        }
    }

    /// Mail from the parent in the transcript of the child.
    static func message(id: String, from parent: String, to child: String, _ text: String) -> [UInt8] {
        SessionUpdate.object("session_message") { update in
            update.member("messageId", id)
            update.member("senderSessionId", parent)
            update.member("recipientSessionId", child)
            update.memberArray("content") { $0.element(raw: SessionUpdate.textBlock(text)) }
        }
    }
}
