import TestSupport
import Testing
import WebSocket

@testable import Connections
@testable import EventLoop
@testable import Posix

@LoopActor private final class Receiver: MessageReceiver {
    var hasRoom = true
    /// The receiver has no room after this many messages.
    var capacity = Int.max
    var messages: [String] = []
    var close: String?
    var handledCount = 0
    var hasEnded = false

    func receive(_ messages: [[UInt8]]) {
        self.messages += messages.map { String(decoding: $0, as: UTF8.self) }
        if self.messages.count >= capacity { hasRoom = false }
    }

    func receiveClose(_ code: CloseCode?, _ reason: [UInt8]) {
        close = "\(code?.rawValue ?? 0) \(String(decoding: reason, as: UTF8.self))"
    }

    func messagesWereHandled() { handledCount += 1 }
    func connectionEnded() { hasEnded = true }
}

@LoopActor private final class Owner: TransportOwner {
    var takesMessages = true
    var messages: [String] = []
    var isClosed = false

    func messagesArrived(through transport: any ClientTransport) {
        while takesMessages, let arrival = transport.next() {
            if case .text(let message) = arrival { messages.append(String(decoding: message, as: UTF8.self)) }
        }
    }

    func hasRoom(in transport: any ClientTransport) {}
    func willClose(_ transport: any ClientTransport) {}
    func closed(_ transport: any ClientTransport) { isClosed = true }
}

/// Messages of a fixed size as frames, sent as far as the writer accepts them.
@LoopActor private final class Stream: OutgoingStream {
    let subId = "s"
    let tenant: String? = nil
    var isQueued = false
    private(set) var isClosed = false
    let keepsPace = false
    private var frames: [UInt8] = []
    private var sent = 0
    private let frameBytes: Int

    init(messages: Int, bytes: Int) {
        let payload = [UInt8](repeating: 0x61, count: bytes)
        for _ in 0..<messages { Frame.append(.text, payload.span, to: &frames) }
        frameBytes = frames.count / messages
    }

    var isAtEnd: Bool { sent == frames.count }
    var isMidFrame: Bool { sent % frameBytes > 0 }
    var sentFrames: Int { sent / frameBytes }

    func send(through writer: ConnectionWriter, limitBytes: Int) -> SendOutcome {
        guard sent < frames.count else { return .atEnd }
        let end = limitBytes == 0 ? (sent + frameBytes - 1) / frameBytes * frameBytes : frames.count
        sent += frames[sent..<end].withUnsafeBytes { writer.write($0) }
        if sent == frames.count { return .turnEnded }
        return sent == end ? .frameEnded : .blocked
    }

    func reachedEnd() {}
    func close() { isClosed = true }
}

@LoopActor private struct Parts {
    let loop = ManualLoop()
    let receiver = Receiver()
    let owner = Owner()
    let transport: MessageTransport

    init() {
        transport = MessageTransport(limits: MessageLimits(), turns: FairScheduler(), timers: loop)
        transport.connect(to: receiver)
        #expect(transport.start(owner))
    }

    func append(_ texts: String...) {
        for text in texts { transport.append(Array(text.utf8)) }
        transport.announce()
    }
}

@Suite(.serialized) struct MessageTransportTests {
    init() { LoopThread.start }

    @Test @LoopActor func messagesPassBothWaysAndAreReportedWhenHandled() {
        let parts = Parts()
        parts.append("one", "two")
        #expect(parts.owner.messages == ["one", "two"])
        #expect(parts.receiver.handledCount == 1)
        parts.transport.send(Array("answer".utf8))
        #expect(parts.receiver.messages == ["answer"])
        #expect(parts.transport.isQuiet)
    }

    @Test @LoopActor func messagesThatTheBridgeDoesNotAcceptAreNotReported() {
        let parts = Parts()
        parts.owner.takesMessages = false
        parts.append("one")
        #expect(!parts.transport.hasHandledAll && !parts.transport.isQuiet)
        #expect(parts.receiver.handledCount == 0)
        parts.owner.takesMessages = true
        parts.transport.announce()
        #expect(parts.owner.messages == ["one"])
        #expect(parts.transport.hasHandledAll && parts.receiver.handledCount == 1)
    }

    @Test @LoopActor func aFullReceiverStopsTheStream() {
        let parts = Parts()
        parts.receiver.capacity = 1
        let stream = Stream(messages: 100, bytes: 40 << 10)
        parts.transport.writer.enqueue(stream)
        let first = parts.receiver.messages.count
        #expect(first == 1)
        // At most one piece is accepted beyond the last message.
        #expect(stream.sentFrames <= 2)
        #expect(!parts.transport.isQuiet)
        parts.transport.receiverHasRoom()
        parts.loop.advance(by: .zero)
        #expect(parts.receiver.messages.count == first)
        (parts.receiver.hasRoom, parts.receiver.capacity) = (true, 10)
        parts.transport.receiverHasRoom()
        #expect(parts.receiver.messages.count == first)
        parts.loop.advance(by: .zero)
        #expect((10...11).contains(parts.receiver.messages.count))
        #expect(parts.receiver.messages.allSatisfy { $0.utf8.count == 40 << 10 })
    }

    @Test @LoopActor func anAnswerWaitsForTheEndOfTheCurrentFrame() {
        let parts = Parts()
        parts.receiver.capacity = 1
        parts.transport.writer.enqueue(Stream(messages: 8, bytes: 40 << 10))
        parts.transport.send(Array("answer".utf8))
        (parts.receiver.hasRoom, parts.receiver.capacity) = (true, .max)
        parts.transport.receiverHasRoom()
        parts.loop.advance(by: .zero)
        #expect(parts.receiver.messages.count == 9)
        #expect(parts.receiver.messages.firstIndex(of: "answer") == 2)
    }

    @Test @LoopActor func theCloseReasonFollowsTheMessages() {
        let parts = Parts()
        parts.receiver.hasRoom = false
        parts.transport.send(Array("last".utf8))
        parts.transport.close(.internalError, #"{"exitCode":3}"#)
        parts.transport.send(Array("too late".utf8))
        #expect(parts.receiver.close == nil && !parts.owner.isClosed)
        parts.receiver.hasRoom = true
        parts.transport.receiverHasRoom()
        parts.loop.advance(by: .zero)
        #expect(parts.receiver.messages == ["last"])
        #expect(parts.receiver.close == #"1011 {"exitCode":3}"#)
        #expect(parts.owner.isClosed && parts.receiver.hasEnded)
    }

    @Test @LoopActor func aReceiverThatStaysFullDelaysTheEndByTwoSeconds() {
        let parts = Parts()
        parts.receiver.hasRoom = false
        parts.transport.close(.goingAway, "stop")
        parts.loop.advance(by: .milliseconds(1_999))
        #expect(!parts.owner.isClosed)
        parts.loop.advance(by: .milliseconds(1))
        #expect(parts.owner.isClosed && parts.receiver.hasEnded && parts.receiver.close == nil)
    }

    @Test @LoopActor func theEndOfTheInputIsReportedAfterItsMessages() {
        let parts = Parts()
        parts.owner.takesMessages = false
        parts.append("one")
        parts.transport.endInput()
        #expect(!parts.owner.isClosed)
        parts.owner.takesMessages = true
        parts.transport.announce()
        #expect(parts.owner.messages == ["one"])
        #expect(parts.owner.isClosed && parts.receiver.hasEnded)
    }
}
