import Testing

@testable import SessionOutput
@testable import TerminalEditing

@Suite struct PermissionQuestionTests {
    private func entry(_ kind: String, _ data: String) throws -> TimelineValue {
        try #require(TimelineValue(Array(#"{"seq":1,"ts":2,"kind":"\#(kind)","data":\#(data)}"#.utf8)[...]))
    }

    private func request(_ id: Int) throws -> TimelineValue {
        try entry(
            "permission_request",
            #"""
            {"requestId":\#(id),"params":{"options":[{"optionId":"y","name":"Allow"},{"optionId":"a","name":"Always"},\#
            {"optionId":"n","name":"Reject"}]}}
            """#)
    }

    @Test(arguments: [
        ("1", "y"), ("3", "n"), ("allow", "y"), ("Rej", "n"), ("a", "a"), ("al", nil), ("4", nil), ("0", nil),
        ("", nil), ("maybe", nil),
    ])
    func anOptionIsSelectedByNumberIdNameOrBeginning(words: String, id: String?) throws {
        let question = try #require(PermissionQuestion(request(7)))
        #expect(question.option(for: words)?.id == id)
        #expect(question.line.text == "1 Allow  2 Always  3 Reject: ")
    }

    @Test func aRequestWithoutOptionsAsksNoQuestion() throws {
        #expect(PermissionQuestion(try entry("permission_request", #"{"requestId":1,"params":{}}"#)) == nil)
    }

    @Test func anAnsweredRequestIsNotPending() throws {
        var pending = PendingPermissions()
        pending.note(try request(1))
        pending.note(try request(2))
        let first = try #require(pending.first)
        pending.note(try entry("permission_answer", #"{"requestId":1}"#))
        #expect(!pending.isWaiting(first))
        #expect(pending.first?.requestId == Array("2".utf8))
    }

    @Test func theEndOfTheAgentEndsItsRequests() throws {
        var pending = PendingPermissions()
        pending.note(try request(1))
        pending.note(try entry("agent_exit", "{}"))
        #expect(pending.first == nil)
    }
}

@Suite struct PromptLineTests {
    @Test func aRunningTurnIsCancelledOnce() {
        let line = PromptLine(isRunning: true)
        #expect(line.requestCancel())
        #expect(!line.requestCancel())
        #expect(!PromptLine(isRunning: false).requestCancel())
    }
}
