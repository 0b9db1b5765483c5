import Connections
import TestSupport
import Testing
import WebSocket

@testable import Clients
@testable import EventLoop

@LoopActor private final class Remote: MessageReceiver {
    var hasRoom = true

    func receive(_ messages: [[UInt8]]) {}
    func receiveClose(_ code: CloseCode?, _ reason: [UInt8]) {}
    func messagesWereHandled() {}
    func connectionEnded() {}
}

/// A queue over a transport that the test fills.
@LoopActor private final class Parts: TransportOwner {
    let loop = ManualLoop()
    let remote = Remote()
    let transport: MessageTransport
    var handled: [String] = []
    /// Requests with this text are not complete when their handler returns.
    var slow: String?
    /// Ends the hold of the slow request.
    private(set) var complete: @LoopActor () -> Void = {}
    /// The queue's time does not pass.
    private lazy var waiting = SlicedWork(loop.services)
    private lazy var queue: RequestQueue = RequestQueue(transport, waiting: waiting) { [unowned self] arrival in
        guard case .text(let text) = arrival else { return }
        handled.append(String(decoding: text, as: UTF8.self))
        if handled.last == slow { complete = queue.hold() }
    } turnEnded: {
    }

    init() {
        transport = MessageTransport(limits: MessageLimits(), turns: FairScheduler(), timers: loop)
        transport.connect(to: remote)
        #expect(transport.start(self))
    }

    func send(_ texts: String...) {
        for text in texts { transport.append(Array(text.utf8)) }
        transport.announce()
    }

    func close() { queue.close() }

    var takesMessages: Bool { queue.isIdle }
    func messagesArrived(through transport: any ClientTransport) { queue.run() }
    func hasRoom(in transport: any ClientTransport) { queue.run() }
    func willClose(_ transport: any ClientTransport) {}
    func closed(_ transport: any ClientTransport) {}
}

@Suite(.serialized) struct RequestQueueTests {
    init() { LoopThread.start }

    @Test @LoopActor func theNextRequestWaitsForThePreviousOne() {
        let parts = Parts()
        parts.slow = "b"
        parts.send("a", "b", "c", "d")
        #expect(parts.handled == ["a", "b"])
        #expect(!parts.takesMessages && !parts.transport.hasHandledAll)
        parts.complete()
        #expect(parts.handled == ["a", "b", "c", "d"])
        #expect(parts.takesMessages && parts.transport.hasHandledAll)
    }

    @Test @LoopActor func aRequestEndsItsOwnHoldOnly() {
        let parts = Parts()
        parts.slow = "a"
        parts.send("a")
        let first = parts.complete
        first()
        parts.slow = "b"
        parts.send("b", "c")
        first()
        #expect(parts.handled == ["a", "b"])
        parts.complete()
        #expect(parts.handled == ["a", "b", "c"])
    }

    @Test @LoopActor func requestsWaitWhileTooManyAnswersAreUnread() {
        let parts = Parts()
        parts.remote.hasRoom = false
        parts.transport.send([UInt8](repeating: 0x61, count: 300 << 10))
        parts.send("a")
        #expect(parts.handled.isEmpty)
        parts.remote.hasRoom = true
        parts.transport.receiverHasRoom()
        parts.loop.advance(by: .zero)
        #expect(parts.handled == ["a"])
    }

    @Test @LoopActor func aClosedQueueHandlesNoRequests() {
        let parts = Parts()
        parts.close()
        parts.send("a")
        #expect(parts.handled.isEmpty)
    }
}
