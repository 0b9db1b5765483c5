import Testing
import WebSocket

@Suite struct CloseTests {
    @Test(arguments: [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999])
    func everyCodeThatCanBeSentIsReadAndWritten(rawValue: UInt16) {
        let code = CloseCode(rawValue: rawValue)
        #expect(code.isValidOnTheWire)
        let read = Transcript.reading([Frame.close(code, reason: "Grüße")])
        #expect(read == Transcript(events: [.close(code, reason: Array("Grüße".utf8))]))
    }

    @Test(arguments: [0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535])
    func everyCodeThatMustNotBeSentIsRefused(rawValue: UInt16) {
        let code = CloseCode(rawValue: rawValue)
        #expect(!code.isValidOnTheWire)
        let bytes = frame(.close, [UInt8(rawValue >> 8), UInt8(rawValue & 0xFF)])
        #expect(Transcript.reading([bytes]).violation == .invalidCloseCode(rawValue))
        #expect(Frame.close(code, reason: "unsaid") == [0x88, 0x00])
    }

    @Test func aCloseWithoutACodeIsEmpty() {
        #expect(Frame.close(nil) == [0x88, 0x00])
        #expect(Frame.close(nil, maskKey: 0x0403_0201) == [0x88, 0x80, 1, 2, 3, 4])
    }

    @Test(arguments: [
        (String(repeating: "a", count: 123), 123), (String(repeating: "a", count: 124), 123),
        (String(repeating: "a", count: 122) + "é", 122), (String(repeating: "漢", count: 50), 123),
        (String(repeating: "🎉", count: 50), 120),
    ])
    func aLongReasonIsCutBetweenCodePoints(reason: String, byteCount: Int) {
        let expected = Array(reason.utf8.prefix(byteCount))
        let read = Transcript.reading([Frame.close(.policyViolation, reason: reason)])
        #expect(read == Transcript(events: [.close(.policyViolation, reason: expected)]))
    }

    @Test(
        arguments: [
            (.reservedBits, .protocolError), (.invalidUTF8, .invalidPayload), (.truncatedCloseCode, .protocolError),
            (.messageTooBig(limitBytes: .max), .messageTooBig), (.invalidCloseCode(65535), .protocolError),
            (.messageInsideMessage, .protocolError), (.unmaskedClientFrame, .protocolError),
        ] as [(ProtocolViolation, CloseCode)])
    func aViolationIsReportedInTheCloseFrame(violation: ProtocolViolation, code: CloseCode) {
        #expect(violation.closeCode == code)
        let expected = MessageAssembler.Event.close(code, reason: Array(violation.description.utf8))
        #expect(Transcript.reading([Frame.close(violation)]).events == [expected])
    }

    @Test func pingsAndPongsCarryAtMost125Bytes() {
        let long = [UInt8](repeating: 7, count: 200)
        #expect(Transcript.reading([Frame.ping(long)]).events == [.ping(Array(long[..<125]))])
        #expect(Transcript.reading([Frame.pong([1, 2], maskKey: 9)], as: .server).events == [.pong([1, 2])])
        #expect(Frame.ping() == [0x89, 0x00])
    }
}

@Suite struct ClosingTests {
    @Test func weCloseAndThePeerAnswers() {
        var closing = Closing.open
        #expect(closing.allowsMessages)
        #expect(closing.closeFrameSent() == .awaitAnswer)
        #expect(!closing.allowsMessages)
        #expect(closing.closeFrameReceived() == .endTransport)
        #expect(closing == .closed)
    }

    @Test func thePeerClosesAndWeAnswer() {
        var closing = Closing.open
        #expect(closing.closeFrameReceived() == .answer)
        #expect(!closing.allowsMessages)
        #expect(closing.closeFrameSent() == .endTransport)
        #expect(closing == .closed)
    }

    @Test(arguments: [Closing.closeSent, .closed])
    func sendingASecondCloseFrameNeedsNoAction(state: Closing) {
        var closing = state
        #expect(closing.closeFrameSent() == .nothing)
        #expect(closing == state)
    }

    @Test(arguments: [Closing.closeReceived, .closed])
    func receivingASecondCloseFrameNeedsNoAction(state: Closing) {
        var closing = state
        #expect(closing.closeFrameReceived() == .nothing)
        #expect(closing == state)
    }
}
