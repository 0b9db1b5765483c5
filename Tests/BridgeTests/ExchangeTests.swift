import JSONScan
import Testing

@testable import ACPRouting
@testable import Bridge

@Suite struct ExchangeTests {
    /// Passes one line of either side to the machine.
    private func editor(_ exchange: inout Exchange, _ line: String) -> [Exchange.Event] {
        exchange.editorWrote(Array(line.utf8).span)
    }

    private func agent(_ exchange: inout Exchange, _ line: String) throws -> [Exchange.Event] {
        let bytes = Array(line.utf8)
        return exchange.agentWrote(bytes.span, try scanEnvelope(bytes.span))
    }

    @Test func aNewSessionIsKnownByTheAnswerToItsRequest() throws {
        var exchange = Exchange()
        #expect(
            editor(&exchange, #"{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/w","mcpServers":[]}}"#)
                == [])
        #expect(!exchange.isIdle)
        #expect(
            try agent(&exchange, #"{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s\u0031"}}"#)
                == [
                    .sessionOpened(id: "s1", cwd: "/w"),
                    .sessionSetUp(id: "s1", result: Array(#"{"sessionId":"s\u0031"}"#.utf8)),
                ])
        #expect(exchange.isIdle)
    }

    @Test func idsOfTheTwoSidesDoNotMix() throws {
        var exchange = Exchange()
        _ = editor(&exchange, #"{"id":0,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}"#)
        let asked = try agent(
            &exchange, #"{"id":0,"method":"session/request_permission","params":{"sessionId":"s","options":[]}}"#)
        #expect(
            asked == [
                .permissionAsked(
                    id: "s", request: Array(#"{"requestId":0,"params":{"sessionId":"s","options":[]}}"#.utf8))
            ])
        let answered = editor(&exchange, #"{"id":0,"result":{"outcome":{"outcome":"cancelled"}}}"#)
        #expect(
            answered == [
                .permissionAnswered(
                    id: "s", answer: Array(#"{"requestId":0,"result":{"outcome":{"outcome":"cancelled"}}}"#.utf8))
            ])
        #expect(
            try agent(&exchange, #"{"id":0,"result":{"stopReason":"end_turn"}}"#)
                == [.turnEnded(id: "s", outcome: Array(#"{"stopReason":"end_turn"}"#.utf8))])
    }

    @Test(arguments: [("1", "\"1\""), ("1", "1.0"), ("null", "0"), ("\"a\"", "\"b\"")])
    func anAnswerToAnotherIdIsNoAnswer(asked: String, answered: String) throws {
        var exchange = Exchange()
        _ = editor(&exchange, #"{"id":\#(asked),"method":"session/new","params":{}}"#)
        #expect(try agent(&exchange, #"{"id":\#(answered),"result":{"sessionId":"s"}}"#) == [])
        #expect(!exchange.isIdle)
    }

    @Test func anAnswerIsTakenOnce() throws {
        var exchange = Exchange()
        _ = editor(&exchange, #"{"id":1,"method":"session/new","params":{}}"#)
        _ = try agent(&exchange, #"{"id":1,"result":{"sessionId":"s"}}"#)
        #expect(try agent(&exchange, #"{"id":1,"result":{"sessionId":"s"}}"#) == [])
    }

    @Test func aLoadReplaysUntilItIsAnswered() throws {
        var exchange = Exchange()
        let line = #"{"id":"l","method":"session\/load","params":{"cwd":"/w","sessionId":"s"}}"#
        #expect(editor(&exchange, line) == [.sessionContinued(id: "s", cwd: "/w", replays: true)])
        #expect(exchange.replaying == ["s"])
        #expect(
            try agent(&exchange, #"{"id":"l","result":null}"#)
                == [
                    .continuationEnded(id: "s", succeeded: true),
                    .sessionSetUp(id: "s", result: Array("null".utf8)),
                ])
        #expect(exchange.replaying.isEmpty)
    }

    @Test func aResumeDoesNotReplay() throws {
        var exchange = Exchange()
        _ = editor(&exchange, #"{"id":2,"method":"session/resume","params":{"sessionId":"s"}}"#)
        #expect(exchange.replaying.isEmpty)
        let failed = try agent(&exchange, #"{"id":2,"error":{"code":-32002,"message":"none"}}"#)
        #expect(failed == [.continuationEnded(id: "s", succeeded: false)])
    }

    @Test func aFailedPromptEndsItsTurnWithTheError() throws {
        var exchange = Exchange()
        _ = editor(&exchange, #"{"id":3,"method":"session/prompt","params":{"sessionId":"s"}}"#)
        let ended = try agent(&exchange, #"{"id":3,"error":{"code":-32000,"message":"log in"}}"#)
        #expect(ended == [.turnEnded(id: "s", outcome: Array(#"{"error":{"code":-32000,"message":"log in"}}"#.utf8))])
    }

    @Test(arguments: [
        "", "noise", "[]", "[1]", "3", "{}", #"{"id":1}"#, #"{"method":5,"id":1}"#,
        #"{"method":"a","method":"b","id":1}"#,
    ])
    func whatIsNoRequestIsPassedOver(line: String) {
        var exchange = Exchange()
        #expect(editor(&exchange, line) == [])
        #expect(exchange.isIdle)
    }

    @Test func openRequestsAreBounded() {
        var exchange = Exchange()
        for id in 0..<(Exchange.openRequestsLimit + 10) {
            _ = editor(&exchange, #"{"id":\#(id),"method":"x"}"#)
        }
        #expect(editor(&exchange, #"{"id":"p","method":"session/prompt","params":{"sessionId":"s"}}"#) == [])
    }
}
