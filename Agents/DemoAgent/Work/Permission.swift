import JSONScan

extension Question {
    /// The object of a permission request.
    enum Subject {
        case toolCall(ToolCallUpdate.Call)
        case command(String, cwd: String, toolCallID: String, terminalID: String)
    }

    static func permission(
        in sessionID: String, version: ProtocolVersion, title: String, subject: Subject, withdrawsAfter: Duration? = nil
    ) -> Question {
        let params = JSONWriter.object { params in
            params.member("sessionId", sessionID)
            switch version {
            case .one: params.memberObject("toolCall") { writeCall(subject, title, to: &$0) }
            case .two:
                params.member("title", title)
                params.memberObject("subject") { write(subject, to: &$0) }
            }
            writePermissionOptions(to: &params)
        }
        return Question(
            kind: .permission, method: "session/request_permission", params: params, withdrawsAfter: withdrawsAfter)
    }

    private static func writeCall(_ subject: Subject, _ title: String, to call: inout JSONWriter) {
        switch subject {
        case .toolCall(let subject): call.member("toolCallId", subject.id)
        case .command(_, _, let id, _): call.member("toolCallId", id)
        }
        call.member("title", title)
        call.member("status", "pending")
    }

    private static func write(_ subject: Subject, to object: inout JSONWriter) {
        switch subject {
        case .toolCall(let call):
            object.member("type", "tool_call")
            object.memberObject("toolCall") { $0.member("toolCallId", call.id) }
        case .command(let command, let cwd, let toolCallID, let terminalID):
            object.member("type", "command")
            object.member("command", command)
            object.member("cwd", cwd)
            object.member("toolCallId", toolCallID)
            object.member("terminalId", terminalID)
        }
    }
}
