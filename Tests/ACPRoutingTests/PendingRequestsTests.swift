import JSONRPC
import JSONScan
import Testing

@testable import ACPRouting

@Suite struct PendingRequestsTests {
    private func request(_ id: Int, lineBytes: Int) -> AgentRequest {
        AgentRequest(
            id: RequestID(id), method: "fs/write_text_file", session: nil,
            line: Array(repeating: 0x20, count: lineBytes),
            params: [], since: 0, options: [])
    }

    private func agent(_ router: inout RequestRouter, _ line: String) throws -> [RequestRouter.Event] {
        let line = Array(line.utf8)
        return try router.agentWrote(line.span, scanEnvelope(line.span))
    }

    private func refusal(_ id: Int, _ message: String) -> RequestRouter.Event {
        .delivery(.toAgent(Reply(error: .internalError, message).text(id: RequestID(id))))
    }

    private static let small = #"{"id":3,"method":"fs/read_text_file","params":{"path":"/x"}}"#

    @Test func withoutAnEditorTheOldestRequestsOverTheLimitAreRefused() throws {
        var router = RequestRouter(hasEditor: false)
        for id in 1...2 { router.pending.add(request(id, lineBytes: 40 << 20)) }
        #expect(try agent(&router, Self.small) == [refusal(1, "too many requests wait for a client")])
        #expect(router.pending.requests.map(\.id) == [RequestID(2), RequestID(3)])
    }

    @Test func aRefusedPermissionIsRecordedAndWithdrawnFromClients() throws {
        var router = RequestRouter(hasEditor: false)
        router.clientAttached(1, name: "ann")
        _ = router.clientJoined(1, session: "s")
        _ = try agent(
            &router, #"{"id":1,"method":"session/request_permission","params":{"sessionId":"s","options":[]}}"#)
        router.pending.add(request(2, lineBytes: PendingRequests.limitBytes))
        let events = try agent(&router, Self.small)
        let error = #"{"code":-32603,"message":"too many requests wait for a client"}"#
        let cancelling = #"{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":1}}"#
        #expect(
            events == [
                refusal(1, "too many requests wait for a client"),
                .fact(
                    .permissionAnswered(
                        id: "s", answer: Array(#"{"requestId":1,"error":\#(error),"by":"size limit"}"#.utf8))),
                .delivery(.toClient(1, Array(cancelling.utf8), session: "s")),
                refusal(2, "too many requests wait for a client"),
            ])
    }

    @Test func aSingleRequestCanExceedTheLimit() throws {
        var pending = PendingRequests()
        pending.add(request(1, lineBytes: PendingRequests.limitBytes + 1))
        #expect(!pending.isOverLimit)
    }

    @Test func requestsToAConnectedEditorAreNeverRefused() throws {
        var router = RequestRouter()
        for id in 1...2 { router.pending.add(request(id, lineBytes: PendingRequests.linesLimitBytes)) }
        #expect(try agent(&router, Self.small) == [])
        #expect(router.pending.requests.map(\.line.isEmpty) == [false, false, true])
    }

    @Test func requestsToAConnectedEditorAreNotRecordedAboveTheLimit() throws {
        var router = RequestRouter()
        for id in 1...2 { router.pending.add(request(id, lineBytes: 40 << 20)) }
        #expect(try agent(&router, Self.small) == [])
        #expect(router.pending.requests.map(\.id) == [RequestID(1), RequestID(2)])
    }

    @Test func aRequestTooLongToKeepIsRefusedWhenAClientTakesOver() throws {
        var router = RequestRouter()
        router.pending.add(request(1, lineBytes: PendingRequests.linesLimitBytes))
        _ = try agent(&router, Self.small)
        router.editorGone()
        router.clientAttached(1, name: "ann")
        let line = [UInt8](repeating: 0x20, count: PendingRequests.linesLimitBytes)
        #expect(
            router.clientTookOver(1) == [
                refusal(3, "this request was too long to be kept"), .delivery(.toClient(1, line, session: nil)),
            ])
    }

    @Test func aReusedIdReplacesTheRequest() {
        var pending = PendingRequests()
        pending.add(request(1, lineBytes: 1))
        pending.add(request(1, lineBytes: 2))
        #expect(pending.requests.map(\.line.count) == [2])
    }

    @Test func oneLateAnswerIsExpectedForEachUseOfAnId() {
        var pending = PendingRequests()
        pending.expectStaleAnswer(RequestID(1))
        pending.expectStaleAnswer(RequestID(1))
        let answers = (1...3).map { _ in pending.consumeStaleAnswer(RequestID(1)) }
        #expect(answers == [true, true, false])
        #expect(!pending.expectsStaleAnswers)
    }
}
