import Testing

@testable import TinyvexTransport

/// Transcripts of a WebSocket task: its events and those of its user in, calls out.
@Suite struct WebSocketTaskMachineTests {
    private var machine = WebSocketTaskMachine(messageLimitBytes: 1000)

    private static let lostNetwork = TaskError(domain: "NSURLErrorDomain", code: -1005, reason: "it was lost")
    private static let notConnected = TaskError(domain: "NSPOSIXErrorDomain", code: 57, reason: "not connected")

    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static func batch(_ texts: String...) -> MessageBatch {
        var batch = MessageBatch()
        for text in texts { batch.append(Array(text.utf8)) }
        return batch
    }

    @Test mutating func anOpenTaskIsReadOneMessageAtATime() {
        #expect(WebSocketTaskMachine.firstActions == [.start(.connecting)])
        #expect(machine.handle(.opened) == [.finishConnecting(nil), .receive])
        #expect(machine.handle(.read) == [])
        #expect(machine.handle(.receivedText(Self.bytes("a"))) == [.finishReading(Self.batch("a")), .receive])
        #expect(machine.handle(.receivedText(Self.bytes("b"))) == [.receive])
        #expect(machine.handle(.receivedText(Self.bytes("c"))) == [.receive])
        #expect(machine.handle(.read) == [.finishReading(Self.batch("b", "c"))])
    }

    @Test mutating func aReaderThatStopsEndsTheRequestsForMessages() {
        _ = machine.handle(.opened)
        let half = [UInt8](repeating: 0x20, count: MessageBatch.sizeHintBytes / 2)
        #expect(machine.handle(.receivedText(half)) == [.receive])
        #expect(machine.handle(.receivedText(half)) == [])
        var batch = MessageBatch()
        batch.append(half)
        batch.append(half)
        #expect(machine.handle(.read) == [.finishReading(batch), .receive])
    }

    @Test mutating func binaryMessagesAreKeptWithTheTexts() {
        _ = machine.handle(.opened)
        _ = machine.handle(.receivedBinary([1]))
        _ = machine.handle(.receivedText([2]))
        var batch = MessageBatch()
        batch.keep(binary: [1])
        batch.append([2])
        #expect(machine.handle(.read) == [.finishReading(batch)])
    }

    @Test mutating func textsAreSentInOrderUpToTheLimit() {
        _ = machine.handle(.opened)
        let large = [UInt8](repeating: 0x20, count: WebSocketTaskMachine.sendLimitBytes)
        #expect(machine.handle(.write([[1], large, [2]])) == [.send([1]), .send(large)])
        #expect(machine.handle(.sent(byteCount: 1)) == [])
        #expect(machine.handle(.sent(byteCount: large.count)) == [.send([2]), .finishWriting(nil)])
        #expect(machine.handle(.write([[3]])) == [.send([3]), .finishWriting(nil)])
    }

    @Test(arguments: [
        (HandshakeAnswer(status: 401, retryAfter: nil), TransportFailure.unauthorized),
        (HandshakeAnswer(status: 429, retryAfter: "7"), .busy(retryAfter: .seconds(7))),
        (HandshakeAnswer(status: 503, retryAfter: "Sun, 22 Nov 2026 15:00:00 GMT"), .busy(retryAfter: nil)),
        (HandshakeAnswer(status: 503, retryAfter: nil), .refused(status: 503, reason: "")),
        (HandshakeAnswer(status: 200, retryAfter: nil), .refused(status: 200, reason: "")),
    ])
    func theStatusOfARefusedHandshakeDecides(answer: HandshakeAnswer, failure: TransportFailure) {
        var machine = machine
        let error = TaskError(domain: "NSURLErrorDomain", code: -1011, reason: "bad answer")
        #expect(machine.handle(.completed(error, answer)) == [.finishConnecting(failure)])
        #expect(machine.handle(.read) == [.failReading(failure)])
    }

    @Test(arguments: [
        (-1001, TransportFailure.timedOut), (-1003, .unreachable(reason: "r")), (-1004, .unreachable(reason: "r")),
        (-1022, .insecure(reason: "r")), (-1202, .insecure(reason: "r")), (-1011, .notWebSocket(reason: "r")),
        (-1002, .invalidEndpoint(reason: "r")), (-999, .cancelled),
    ])
    func theCodeOfAFailedAttemptDecides(code: Int, failure: TransportFailure) {
        var machine = machine
        let error = TaskError(domain: "NSURLErrorDomain", code: code, reason: "r")
        #expect(machine.handle(.completed(error, nil)) == [.finishConnecting(failure)])
    }

    @Test mutating func anAttemptEndsWithItsTime() {
        #expect(machine.handle(.timeUp(.connecting)) == [.cancelTask, .finishConnecting(.timedOut)])
        #expect(machine.handle(.opened) == [])
        #expect(machine.handle(.completed(nil, nil)) == [])
    }

    @Test mutating func theTimeOfAnAttemptDoesNotEndAnOpenConnection() {
        _ = machine.handle(.opened)
        #expect(machine.handle(.timeUp(.connecting)) == [])
    }

    @Test mutating func aCloseFrameIsReportedAfterTheLastMessage() {
        _ = machine.handle(.opened)
        _ = machine.handle(.receivedText(Self.bytes("a")))
        #expect(machine.handle(.closed(code: 1012, reason: "restart")) == [])
        #expect(machine.handle(.read) == [.finishReading(Self.batch("a"))])
        #expect(machine.handle(.read) == [.failReading(.closed(code: 1012, reason: "restart"))])
        #expect(machine.handle(.failed(Self.notConnected)) == [])
        #expect(machine.handle(.completed(nil, nil)) == [])
    }

    @Test mutating func aCloseFrameAfterAFailedReceiveDecides() {
        _ = machine.handle(.opened)
        _ = machine.handle(.read)
        #expect(machine.handle(.failed(Self.notConnected)) == [.start(.ending)])
        #expect(machine.handle(.closed(code: nil, reason: "")) == [.failReading(.closed(code: nil, reason: ""))])
        #expect(machine.handle(.timeUp(.ending)) == [])
    }

    @Test mutating func aFailedReceiveWithoutAnEndIsReportedAfterATime() {
        _ = machine.handle(.opened)
        _ = machine.handle(.read)
        #expect(machine.handle(.failed(Self.lostNetwork)) == [.start(.ending)])
        #expect(machine.handle(.timeUp(.ending)) == [.cancelTask, .failReading(.lost(reason: "it was lost"))])
    }

    @Test mutating func aMessageOverTheLimitHasItsOwnFailure() {
        _ = machine.handle(.opened)
        _ = machine.handle(.read)
        let tooLong = TaskError(domain: "NSPOSIXErrorDomain", code: 40, reason: "too long")
        _ = machine.handle(.failed(tooLong))
        let failure = TransportFailure.messageTooLarge(limitBytes: 1000, beginning: [])
        #expect(machine.handle(.completed(tooLong, nil)) == [.failReading(failure)])
    }

    @Test mutating func aFailureEndsAPendingWrite() {
        _ = machine.handle(.opened)
        let large = [UInt8](repeating: 0x20, count: WebSocketTaskMachine.sendLimitBytes)
        #expect(machine.handle(.write([large, [1]])) == [.send(large)])
        let failure = TransportFailure.lost(reason: "it was lost")
        #expect(machine.handle(.failed(Self.lostNetwork)) == [.start(.ending), .finishWriting(failure)])
        #expect(machine.handle(.sent(byteCount: large.count)) == [])
        #expect(machine.handle(.write([[2]])) == [.finishWriting(failure)])
    }

    @Test mutating func aCancelledReadLosesNoMessage() {
        _ = machine.handle(.opened)
        _ = machine.handle(.read)
        #expect(machine.handle(.readCancelled) == [.failReading(.cancelled)])
        #expect(machine.handle(.readCancelled) == [])
        #expect(machine.handle(.receivedText(Self.bytes("a"))) == [.receive])
        #expect(machine.handle(.read) == [.finishReading(Self.batch("a"))])
    }

    @Test mutating func closingWaitsForTheTaskToEnd() {
        _ = machine.handle(.opened)
        #expect(machine.handle(.close(code: 1000)) == [.sendClose(code: 1000), .start(.ending)])
        #expect(machine.handle(.completed(nil, nil)) == [.finishClosing])
        #expect(machine.handle(.close(code: 1000)) == [.finishClosing])
    }

    @Test mutating func closingWaitsNoLongerThanItsTime() {
        _ = machine.handle(.opened)
        _ = machine.handle(.close(code: 1001))
        #expect(machine.handle(.timeUp(.ending)) == [.cancelTask, .finishClosing])
    }

    @Test mutating func aReleasedConnectionCancelsItsTaskOnce() {
        _ = machine.handle(.opened)
        #expect(machine.handle(.released) == [.cancelTask])
        #expect(machine.handle(.released) == [])
    }

    @Test mutating func aCancelledAttemptCancelsItsTask() {
        #expect(machine.handle(.released) == [.cancelTask, .finishConnecting(.cancelled)])
    }
}
