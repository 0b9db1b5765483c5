import JSONScan
import Testing

@testable import ACPRouting

@Suite struct RequestRouterTests {
    /// Passes one line of either side to the machine.
    private func editor(_ router: inout RequestRouter, _ line: String) -> [RequestRouter.Event] {
        router.editorWrote(Array(line.utf8).span)
    }

    private func agent(_ router: inout RequestRouter, _ line: String) throws -> [RequestRouter.Event] {
        let bytes = Array(line.utf8)
        return router.agentWrote(bytes.span, try scanEnvelope(bytes.span))
    }

    @Test func theAnswerToSessionNewOpensTheSession() throws {
        var router = RequestRouter()
        #expect(
            editor(&router, #"{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/w","mcpServers":[]}}"#)
                == [])
        #expect(!router.isIdle)
        #expect(
            try agent(&router, #"{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s\u0031"}}"#)
                == [
                    .fact(.sessionOpened(id: "s1", cwd: "/w")),
                    .fact(.sessionSetUp(id: "s1", result: Array(#"{"sessionId":"s\u0031"}"#.utf8))),
                ])
        #expect(router.isIdle)
    }

    @Test func equalIdsOfEditorAndAgentAreDistinguished() throws {
        var router = RequestRouter()
        _ = editor(&router, #"{"id":0,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}"#)
        let asked = try agent(
            &router, #"{"id":0,"method":"session/request_permission","params":{"sessionId":"s","options":[]}}"#)
        #expect(
            asked == [
                .fact(
                    .permissionAsked(
                        id: "s", request: Array(#"{"requestId":0,"params":{"sessionId":"s","options":[]}}"#.utf8)))
            ])
        let answered = editor(&router, #"{"id":0,"result":{"outcome":{"outcome":"cancelled"}}}"#)
        #expect(
            answered == [
                .fact(
                    .permissionAnswered(
                        id: "s", answer: Array(#"{"requestId":0,"result":{"outcome":{"outcome":"cancelled"}}}"#.utf8)))
            ])
        #expect(
            try agent(&router, #"{"id":0,"result":{"stopReason":"end_turn"}}"#)
                == [.fact(.turnEnded(id: "s", outcome: Array(#"{"stopReason":"end_turn"}"#.utf8)))])
    }

    @Test(arguments: [("1", "\"1\""), ("1", "1.0"), ("null", "0"), ("\"a\"", "\"b\"")])
    func anAnswerWithADifferentIdIsIgnored(asked: String, answered: String) throws {
        var router = RequestRouter()
        _ = editor(&router, #"{"id":\#(asked),"method":"session/new","params":{}}"#)
        #expect(try agent(&router, #"{"id":\#(answered),"result":{"sessionId":"s"}}"#) == [])
        #expect(!router.isIdle)
    }

    @Test func aRepeatedAnswerIsIgnored() throws {
        var router = RequestRouter()
        _ = editor(&router, #"{"id":1,"method":"session/new","params":{}}"#)
        _ = try agent(&router, #"{"id":1,"result":{"sessionId":"s"}}"#)
        #expect(try agent(&router, #"{"id":1,"result":{"sessionId":"s"}}"#) == [])
    }

    @Test func aSessionIsReplayingUntilItsLoadIsAnswered() throws {
        var router = RequestRouter()
        let line = #"{"id":"l","method":"session\/load","params":{"cwd":"/w","sessionId":"s"}}"#
        #expect(editor(&router, line) == [.fact(.sessionContinued(id: "s", cwd: "/w", replays: true))])
        #expect(router.isReplaying("s"))
        #expect(
            try agent(&router, #"{"id":"l","result":null}"#)
                == [
                    .fact(.continuationEnded(id: "s", succeeded: true)),
                    .fact(.sessionSetUp(id: "s", result: Array("null".utf8))),
                ])
        #expect(!router.isReplaying("s"))
    }

    @Test func aResumeDoesNotReplay() throws {
        var router = RequestRouter()
        _ = editor(&router, #"{"id":2,"method":"session/resume","params":{"sessionId":"s"}}"#)
        #expect(!router.isReplaying("s"))
        let failed = try agent(&router, #"{"id":2,"error":{"code":-32002,"message":"none"}}"#)
        #expect(failed == [.fact(.continuationEnded(id: "s", succeeded: false))])
    }

    @Test func aFailedPromptEndsItsTurnWithTheError() throws {
        var router = RequestRouter()
        _ = editor(&router, #"{"id":3,"method":"session/prompt","params":{"sessionId":"s"}}"#)
        let ended = try agent(&router, #"{"id":3,"error":{"code":-32000,"message":"log in"}}"#)
        #expect(
            ended == [
                .fact(.turnEnded(id: "s", outcome: Array(#"{"error":{"code":-32000,"message":"log in"}}"#.utf8))),
                .fact(.activityChanged(id: "s")),
            ])
    }

    @Test(arguments: [
        "", "noise", "[]", "[1]", "3", "{}", #"{"id":1}"#, #"{"method":5,"id":1}"#,
        #"{"method":"a","method":"b","id":1}"#,
    ])
    func linesThatAreNotRequestsAreIgnored(line: String) {
        var router = RequestRouter()
        #expect(editor(&router, line) == [])
        #expect(router.isIdle)
    }

    @Test func aNotificationWithTheIdNullIsNoRequest() throws {
        var router = RequestRouter()
        let cancel = #"{"jsonrpc":"2.0","id":null,"method":"session/cancel","params":{"sessionId":"s"}}"#
        for _ in 0..<3 { #expect(editor(&router, cancel) == []) }
        #expect(router.isIdle)
        _ = editor(&router, #"{"id":null,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}"#)
        #expect(!router.isIdle, "the id is allowed in a request")
        _ = try agent(&router, #"{"id":null,"method":"elicitation/complete","params":{}}"#)
        #expect(!router.isUnattended && router.pendingCount == 0)
        let ask = #"{"id":5,"method":"session/request_permission","params":{"sessionId":"s","options":[]}}"#
        _ = try agent(&router, ask)
        _ = try agent(&router, #"{"id":null,"method":"$/cancel_request","params":{"requestId":5}}"#)
        #expect(router.pendingCount == 0, "the agent has withdrawn its request")
    }

    @Test func theNumberOfOpenRequestsIsLimited() {
        var router = RequestRouter()
        for id in 0..<(RequestRouter.openRequestsLimit + 10) {
            _ = editor(&router, #"{"id":\#(id),"method":"x"}"#)
        }
        #expect(editor(&router, #"{"id":"p","method":"session/prompt","params":{"sessionId":"s"}}"#) == [])
    }
}
