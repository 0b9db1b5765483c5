import JSONScan
import Testing
import TinyvexTransport

@testable import TinyvexMachine

/// A message over the client's limit fails only its receiver.
@Suite struct OversizedTests {
    private func tooLarge(_ message: String) -> TransportFailure {
        .messageTooLarge(limitBytes: 100, beginning: Array(message.utf8.prefix(80)))
    }

    private let long = String(repeating: "x", count: 100)

    @Test func anOversizedResponseFailsOnlyItsOwnCall() {
        var transcript = Transcript()
        _ = transcript.open(by: .mutate(1))
        _ = transcript.on(.mutate(2))
        let done = transcript.failed(tooLarge(.result(2, "\"\(long)\"")))
        #expect(done.contains("call 1 fails: too large"))
        #expect(!done.contains { $0.hasPrefix("call 2") })
        _ = transcript.passToDeadline()
        #expect(transcript.connected().contains { $0.contains(#""requestId":"r2""#) })
    }

    @Test func anUnneededConnectionIsNotReopened() {
        var transcript = Transcript()
        _ = transcript.open(by: .mutate(1))
        #expect(transcript.failed(tooLarge(.result(2, "\"\(long)\""))) == ["call 1 fails: too large", "state idle"])
        #expect(transcript.machine.deadline == nil)
    }

    @Test func otherCallsThatCannotBeRepeatedFailToo() {
        var transcript = Transcript()
        _ = transcript.open(by: .act(1))
        _ = transcript.on(.act(2))
        let done = transcript.failed(tooLarge(.result(3, "\"\(long)\"")))
        #expect(done.contains("call 2 fails: too large") && done.contains("call 1 fails: outcome unknown"))
    }

    @Test func anOversizedValueFailsItsReadersAndAStreamContinues() {
        var transcript = Transcript()
        _ = transcript.open(by: .query(1))
        _ = transcript.on(.follow(2))
        _ = transcript.receive(.accepted(2, start: 1, head: 0), .accepted(3, start: 1, head: 0))
        let done = transcript.failed(tooLarge(.data(1, 1, "\"\(long)\"")))
        #expect(done.contains("1 fails: too large") && !done.contains { $0.hasPrefix("2 fails") })
        _ = transcript.passToDeadline()
        let sent = transcript.connected()
        #expect(sent.contains { $0.contains("acp:sessionUpdates") } && !sent.contains { $0.contains("q:list") })
    }

    @Test func anOversizedUpdateFailsTheReadersOfItsSession() {
        var transcript = Transcript()
        _ = transcript.open(by: .follow(1, "one"))
        _ = transcript.on(.follow(2, #"t\"w\"o"#))
        _ = transcript.receive(.accepted(2, start: 1, head: 0), .accepted(3, start: 1, head: 0))
        let update = Array(String.update(long, #"t\"w\"o"#).utf8)
        let done = transcript.failed(.messageTooLarge(limitBytes: 100, beginning: Array(update.prefix(90))))
        #expect(done.contains("2 fails: too large") && !done.contains { $0.hasPrefix("1 fails") })
    }

    /// Otherwise the next connection would end the same way, and so on.
    @Test func anOversizedMessageWithoutAReceiverFailsEverything() {
        var transcript = Transcript()
        _ = transcript.open(by: .mutate(1))
        _ = transcript.on(.query(2))
        let done = transcript.failed(tooLarge(#"{"method":"session/update","params":{"update":""# + long))
        #expect(done == ["call 1 fails: too large", "2 fails: too large", "state idle"])
    }

    @Test(arguments: [
        (#"{"jsonrpc":"2.0","id":7,"result":"#, MessageBeginning.response(id: 7)),
        (#"{"jsonrpc":"2.0","id":"7","result":"#, .other), (#"{"jsonrpc":"2.0","id":7"#, .other),
        (#"{"jsonrpc":"2.0","id":99999999999999999999,"result":"#, .other), ("", .other),
        (#"{"jsonrpc":"2.0","method":"tinyvex/data","params":{"subId":"12","seq""#, .data(subId: "12")),
        (#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"a\u0062","u"#, .update(sessionId: "ab")),
        (#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"a\"#, .other),
        (#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":""#, .other),
        (#"{"jsonrpc":"2.0","method":"session/other","params":{"sessionId":"a","#, .other),
    ])
    func theReceiverIsReadFromTheBeginningOfAMessage(_ row: (text: String, beginning: MessageBeginning)) {
        #expect(MessageBeginning(Array(row.text.utf8)) == row.beginning)
    }
}
