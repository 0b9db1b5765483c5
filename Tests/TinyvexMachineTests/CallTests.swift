import JSONRPC
import Testing

@testable import TinyvexMachine

@Suite struct CallTests {
    @Test func aCallConnectsAndReturnsItsAnswer() {
        var transcript = Transcript()
        let sent = transcript.open(by: .mutate(1))
        #expect(sent[1] == #"send {"id":2,"mutation","params":{"requestId":"r1","name":"m","args":{}}}"#)
        #expect(transcript.receive(.result(2, #"{"value":1}"#)) == [#"call 1 = {"value":1}"#])
        #expect(transcript.receive(.result(2, "{}")).isEmpty)
    }

    @Test func anErrorFailsTheCallWithTheProtocolsCode() {
        var transcript = Transcript()
        _ = transcript.open(by: .mutate(1))
        #expect(transcript.receive(.error(2, "TVX003", "not so")) == ["call 1 fails: server TVX003 not so"])
    }

    @Test func mutationsAreResentInOrderUnderTheSameRequestId() {
        var transcript = Transcript()
        _ = transcript.open(by: .mutate(1))
        _ = transcript.on(.mutate(2))
        _ = transcript.on(.mutate(3))
        _ = transcript.receive(.result(3, "2"))
        #expect(transcript.failed() == ["state waiting"])
        _ = transcript.on(.mutate(4))
        _ = transcript.passToDeadline()
        let sent = transcript.connected().dropFirst()
        #expect(
            sent.map { $0.contains("mutation") ? $0.split(separator: "\"")[9] : "" } == ["r1", "r3", "r4"])
    }

    @Test func onlyAnIdempotentActionIsResent() {
        var transcript = Transcript()
        _ = transcript.open(by: .act(1))
        _ = transcript.on(.act(2, isIdempotent: true))
        #expect(transcript.failed() == ["call 1 fails: outcome unknown", "state waiting"])
        _ = transcript.passToDeadline()
        #expect(transcript.connected().last?.contains(#""requestId":"r2""#) == true)
    }

    @Test func anUnsentActionIsSentAfterReconnecting() {
        var transcript = Transcript()
        _ = transcript.on(.act(1))
        #expect(transcript.failed(.unreachable(reason: "x")) == ["state waiting"])
        _ = transcript.passToDeadline()
        #expect(transcript.connected().last?.contains(#""requestId":"r1""#) == true)
    }

    @Test func aNotificationIsSentWithoutAnId() {
        var transcript = Transcript()
        let cancel = Call.notification("session/cancel", params: Array(#"{"sessionId":"s"}"#.utf8))
        #expect(
            transcript.open(by: .call(CallID(number: 1), cancel))[1]
                == #"send {"method":"session/cancel","params":{"sessionId":"s"}}"#)
    }

    @Test func anUnsentNotificationIsDroppedWithItsConnection() {
        var transcript = Transcript { $0.sendLimitBytes = 1 }
        _ = transcript.open(by: .query(1))
        let cancel = Call.notification("session/cancel", params: Array("{}".utf8))
        _ = transcript.on(.call(CallID(number: 1), cancel))
        #expect(transcript.failed() == ["state waiting"])
        _ = transcript.passToDeadline()
        _ = transcript.connected()
        #expect(transcript.on(.sent(transcript.connection, bytes: 1000)).count == 1)
        #expect(transcript.on(.sent(transcript.connection, bytes: 1000)).isEmpty)
    }

    @Test func aCancelledCallIsNotResent() {
        var transcript = Transcript()
        _ = transcript.open(by: .mutate(1))
        _ = transcript.on(.cancel(CallID(number: 1)))
        #expect(transcript.receive(.result(2)).isEmpty)
        #expect(transcript.failed() == ["state idle"])
    }

    @Test func callsOverTheLimitFailAtOnce() {
        var transcript = Transcript { $0.callLimitBytes = 400 }
        _ = transcript.on(.mutate(1))
        #expect(transcript.on(.mutate(2)) == ["call 2 fails: overloaded"])
        let large = Call.request("x", params: [UInt8](repeating: 32, count: 17 << 20), isIdempotent: true)
        #expect(transcript.on(.call(CallID(number: 3), large)) == ["call 3 fails: too large"])
    }

    @Test func callsWaitInOrderWhileTheTransportIsFull() {
        var transcript = Transcript { $0.sendLimitBytes = 1 }
        _ = transcript.open(by: .mutate(1))
        #expect(transcript.on(.mutate(2)).isEmpty)
        let connection = transcript.connection
        #expect(transcript.on(.sent(connection, bytes: 1000)).first?.contains(#""requestId":"r1""#) == true)
        #expect(transcript.on(.sent(connection, bytes: 1000)).first?.contains(#""requestId":"r2""#) == true)
    }

    @Test func aCallTooLargeForTheBridgeIsNotResent() {
        var transcript = Transcript()
        _ = transcript.open(by: .mutate(1))
        let actions = transcript.failed(.closed(code: 1009, reason: ""))
        #expect(actions.first?.hasPrefix("call 1 fails: transport") == true)
    }

    @Test func agentRequestsAreAnsweredOnlyOnTheirConnection() throws {
        var transcript = Transcript()
        _ = transcript.open(by: .query(1))
        #expect(
            transcript.receive(#"{"jsonrpc":"2.0","id":"p1","method":"session/request_permission","params":{}}"#)
                == ["agent session/request_permission"])
        var message = AgentMessage(id: RequestID("p1"), method: "session/request_permission", params: nil)
        message.connection = transcript.connection
        let answer = try #require(Call.answer(to: message, result: Array("{}".utf8)))
        #expect(transcript.on(.call(CallID(number: 1), answer)) == [#"send {"id":"p1","result":{}}"#])
        #expect(transcript.failed() == ["agent lost", "state waiting"])
        _ = transcript.passToDeadline()
        _ = transcript.connected()
        // That connection is gone, and with it the agent that sent the request.
        #expect(transcript.on(.call(CallID(number: 2), answer)).isEmpty)
    }
}
