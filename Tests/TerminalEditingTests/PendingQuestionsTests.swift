import AgentQuestions
import JSONScan
import Testing

@testable import SessionOutput
@testable import TerminalEditing

@Suite struct PendingQuestionsTests {
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

    @Test func anAnsweredRequestIsNotPending() throws {
        var pending = PendingQuestions()
        pending.note(try request(1))
        pending.note(try request(2))
        let first = try #require(pending.first)
        pending.note(try entry("permission_answer", #"{"requestId":1}"#))
        #expect(!pending.isWaiting(first))
        #expect(pending.first?.requestId == Array("2".utf8))
    }

    @Test func anElicitationWaitsUntilItsAnswer() throws {
        var pending = PendingQuestions()
        pending.note(
            try entry("elicitation_request", #"{"requestId":"e","params":{"mode":"url","url":"u","message":"m"}}"#))
        #expect(pending.first?.kindName == "url")
        pending.note(try entry("elicitation_answer", #"{"requestId":"e","result":{"action":"decline"}}"#))
        #expect(pending.first == nil)
    }

    /// An elicitation without a session is on no timeline: only the bridge's list adds and removes it.
    @Test func aLoginIsPendingWhileTheListHasIt() throws {
        let login = try #require(
            AgentQuestion(
                requestId: JSONValue(validating: Array("8".utf8)),
                params: JSONValue(validating: Array(#"{"mode":"url","url":"u","message":"m"}"#.utf8)), process: 7))
        var pending = PendingQuestions()
        pending.note(try request(1))
        pending.set(sessionless: [login])
        pending.set(sessionless: [login])
        pending.note(try entry("permission_answer", #"{"requestId":1}"#))
        #expect(pending.first?.requestId == Array("8".utf8))
        let arguments = try #require(pending.first?.processArguments(.accept(nil)))
        #expect(String(decoding: arguments, as: UTF8.self) == #"{"pid":7,"requestId":8,"action":"accept"}"#)
        pending.set(sessionless: [])
        #expect(pending.first == nil)
    }

    /// An earlier fault: a terminal did not ask for the answer to a login that it knew before the timeline.
    @Test func aLoginThatIsKnownBeforeTheTimelineStaysPending() throws {
        let row = try JSONValue(validating: Array(#"{"mode":"url","url":"u","message":"m"}"#.utf8))
        let id = try JSONValue(validating: Array("4".utf8))
        let login = try #require(AgentQuestion(requestId: id, params: row, process: 4711))
        var pending = PendingQuestions()
        pending.set(sessionless: [login])
        pending.note(try entry("agent_start", "{}"))
        #expect(pending.isWaiting(login))
        pending.set(sessionless: [])
        #expect(!pending.isWaiting(login))
    }

    @Test func theEndOfTheAgentEndsItsRequests() throws {
        var pending = PendingQuestions()
        pending.note(try request(1))
        pending.note(try entry("agent_exit", "{}"))
        #expect(pending.first == nil)
    }
}

@Suite struct PromptLineTests {
    @Test func aRunningTurnIsCancelledOnce() {
        let line = PromptLine(session: "s", isRunning: true)
        #expect(line.interrupted(at: .now) == .cancel)
        #expect(line.interrupted(at: .now) == .leave)
    }

    @Test func anIdleTerminalIsLeftWithTheSecondCtrlC() {
        let line = PromptLine(session: "s", isRunning: false)
        let now = ContinuousClock.now
        #expect(line.interrupted(at: now) == .warn)
        #expect(line.interrupted(at: now + .seconds(5)) == .warn, "the first one is forgotten")
        #expect(line.interrupted(at: now + .seconds(9)) == .leave)
    }
}
