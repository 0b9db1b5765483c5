import Access
import Connections
import TestSupport
import Testing
import WebSocket

@testable import Clients
@testable import EventLoop
@testable import Posix

/// The bridge's client on top of the connection.
@LoopActor private final class Bridge: TransportOwner {
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

@LoopActor private final class Parts {
    let loop = ManualLoop()
    let bridge = Bridge()
    let transport: MessageTransport
    private(set) var endCount = 0
    private(set) lazy var resumable = ResumableConnection(
        id: "r", identity: .localUser(1), address: RemoteClientAddress(), transport: transport, permit: nil,
        absenceLimit: .seconds(600), services: loop.services
    ) { [unowned self] _ in endCount += 1 }

    init() {
        transport = MessageTransport(limits: MessageLimits(), turns: FairScheduler(), timers: loop)
        _ = resumable
        #expect(transport.start(bridge))
    }

    /// Connects a client that has received `count` messages.
    func connect(after count: Int64) throws -> WebSocketClientEnd {
        let pair = try WebSocketClientEnd.pair(loop)
        let line = WebSocketPeer(
            ByteStream(Descriptor(owning: pair.near)), limits: MessageLimits(), permit: nil, turns: FairScheduler(),
            services: loop.services)
        resumable.dropLine()
        resumable.lineOpened(line, after: count)
        return pair.client
    }

    func bridgeSends(_ text: String) { transport.send(Array(text.utf8)) }
}

@Suite(.serialized) struct ResumableConnectionTests {
    init() { LoopThread.start }

    private func text(_ text: String) -> MessageAssembler.Event { .text(Array(text.utf8)) }
    private func receipt(_ count: Int) -> MessageAssembler.Event { .binary(Array(String(count).utf8)) }

    @Test @LoopActor func messagesPassAndAreConfirmed() throws {
        let parts = Parts()
        let client = try parts.connect(after: 0)
        client.send("one")
        client.send("two")
        #expect(parts.bridge.messages == ["one", "two"])
        parts.bridgeSends("answer")
        #expect(try client.receive() == [receipt(1), receipt(2), text("answer")])
    }

    @Test @LoopActor func aReceiptIsSentAfterTheBridgeHasHandledTheMessages() throws {
        let parts = Parts()
        let client = try parts.connect(after: 0)
        parts.bridge.takesMessages = false
        client.send("one")
        #expect(try client.receive().isEmpty)
        parts.bridge.takesMessages = true
        parts.transport.announce()
        #expect(try client.receive() == [receipt(1)])
    }

    @Test @LoopActor func missedMessagesAreSentOnTheNextConnection() throws {
        let parts = Parts()
        let first = try parts.connect(after: 0)
        parts.bridgeSends("one")
        #expect(try first.receive() == [text("one")])
        first.leave()
        #expect(parts.resumable.isAbsent && !parts.bridge.isClosed)
        parts.bridgeSends("two")
        let second = try parts.connect(after: 1)
        #expect(try second.receive() == [text("two")])
    }

    @Test @LoopActor func messagesForAFullConnectionStayInTheBridge() throws {
        let parts = Parts()
        let message = String(repeating: "a", count: 1 << 20)
        for _ in 0..<6 { parts.bridgeSends(message) }
        #expect(!parts.resumable.hasRoom && parts.transport.writer.isOverControlLimit)
        #expect(parts.resumable.state == nil)
        let client = try parts.connect(after: 0)
        #expect(try client.receive() == Array(repeating: text(message), count: 4))
        client.send(.binary, Array("4".utf8))
        var rest: [MessageAssembler.Event] = []
        // A message of 1 MiB fills the socket, so each of the two arrives in a separate turn.
        for _ in 0..<2 {
            parts.loop.advance(by: .zero)
            rest += try client.receive()
        }
        #expect(rest == Array(repeating: text(message), count: 2))
        #expect(parts.transport.isQuiet)
    }

    @Test @LoopActor func aClientThatStaysAwayEndsTheConnection() throws {
        let parts = Parts()
        try parts.connect(after: 0).leave()
        parts.loop.advance(by: .seconds(599))
        #expect(parts.endCount == 0 && parts.resumable.canResume(after: 0))
        parts.loop.advance(by: .seconds(1))
        #expect(parts.endCount == 1 && parts.bridge.isClosed && !parts.resumable.canResume(after: 0))
    }

    @Test @LoopActor func aSilentConnectionIsPingedEvery30SecondsAndDroppedAfter120() throws {
        let parts = Parts()
        let client = try parts.connect(after: 0)
        parts.loop.advance(by: .seconds(120))
        #expect(try client.receive() == Array(repeating: .ping([]), count: 4))
        #expect(!parts.resumable.isAbsent)
        parts.loop.advance(by: .seconds(30))
        #expect(parts.resumable.isAbsent && !parts.bridge.isClosed)
    }

    @Test @LoopActor func theBridgesCloseReasonReachesAClientThatReturns() throws {
        let parts = Parts()
        parts.transport.close(.internalError, #"{"exitCode":1}"#)
        parts.loop.advance(by: .zero)
        #expect(parts.bridge.isClosed && parts.resumable.hasEnded)
        let client = try parts.connect(after: 0)
        #expect(try client.receive() == [.close(.internalError, reason: Array(#"{"exitCode":1}"#.utf8))])
        client.write(Frame.close(.internalError, maskKey: 7))
        #expect(parts.endCount == 1)
    }

    @Test @LoopActor func messagesBeforeAnOrderlyCloseAreHandledFirst() throws {
        let parts = Parts()
        let client = try parts.connect(after: 0)
        var bytes: [UInt8] = []
        Frame.append(.text, Array("last".utf8).span, maskKey: 7, to: &bytes)
        client.write(bytes + Frame.close(.normalClosure, maskKey: 7))
        #expect(parts.bridge.messages == ["last"])
        #expect(parts.bridge.isClosed && parts.endCount == 1)
    }

    @Test @LoopActor func losingAReplacedLineDoesNotEndTheConnection() throws {
        let parts = Parts()
        let first = try parts.connect(after: 0)
        let second = try parts.connect(after: 0)
        first.leave()
        second.send("one")
        #expect(parts.bridge.messages == ["one"])
        #expect(!parts.resumable.isAbsent)
    }
}
