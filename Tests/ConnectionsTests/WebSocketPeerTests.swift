import Access
import TestSupport
import Testing
import WebSocket

@testable import Connections
@testable import EventLoop
@testable import Posix

/// Records what a peer reports.
@LoopActor private final class Owner: TransportOwner {
    var takesMessages = true
    var arrivals: [Arrival] = []
    var closingCount = 0
    var closedCount = 0

    func messagesArrived(through transport: any ClientTransport) {
        while takesMessages, let arrival = transport.next() { arrivals.append(arrival) }
    }

    func hasRoom(in transport: any ClientTransport) {}
    func willClose(_ transport: any ClientTransport) { closingCount += 1 }
    func closed(_ transport: any ClientTransport) { closedCount += 1 }
}

/// A client's frame with a text of this length.
private func frame(textBytes count: Int) -> [UInt8] {
    var frame: [UInt8] = []
    Frame.append(.text, [UInt8](repeating: 0x61, count: count).span, maskKey: 7, to: &frame)
    return frame
}

/// A peer, and the client's end of its connection.
@LoopActor private struct Line {
    let loop = ManualLoop()
    let owner = Owner()
    let client: WebSocketClientEnd
    let peer: WebSocketPeer

    init(_ permit: ConnectionPermit? = nil) throws {
        let pair = try WebSocketClientEnd.pair(loop)
        client = pair.client
        peer = WebSocketPeer(
            ByteStream(Descriptor(owning: pair.near)), limits: MessageLimits(), permit: permit, turns: FairScheduler(),
            services: loop.services)
        #expect(peer.start(owner))
    }
}

@Suite(.serialized) struct WebSocketPeerTests {
    init() { LoopThread.start }

    @Test @LoopActor func messagesReachTheOwnerAndPingsAreAnswered() throws {
        let line = try Line()
        line.client.send("one")
        line.client.send(.ping, Array("p".utf8))
        line.client.send(.binary, Array("two".utf8))
        #expect(line.owner.arrivals == [.text(Array("one".utf8)), .control, .binary(Array("two".utf8))])
        line.peer.send(Array("answer".utf8))
        #expect(try line.client.receive() == [.pong(Array("p".utf8)), .text(Array("answer".utf8))])
    }

    @Test @LoopActor func aFullOwnerStopsReading() throws {
        let line = try Line()
        line.owner.takesMessages = false
        line.client.send("early")
        #expect(!line.client.isRead)
        line.owner.takesMessages = true
        line.peer.resumeReading()
        #expect(line.client.isRead)
        line.client.send("late")
        #expect(line.owner.arrivals == [.text(Array("early".utf8)), .text(Array("late".utf8))])
    }

    @Test @LoopActor func aSilentClientIsPingedUntilTheLimit() throws {
        let line = try Line()
        line.loop.advance(by: .seconds(120))
        line.peer.checkAlive(within: .seconds(120))
        #expect(try line.client.receive() == [.ping([])])
        line.client.send(.pong, [])
        line.loop.advance(by: .seconds(120))
        line.peer.checkAlive(within: .seconds(120))
        #expect(line.owner.closedCount == 0)
        line.loop.advance(by: .seconds(1))
        line.peer.checkAlive(within: .seconds(120))
        #expect(line.owner.closedCount == 1)
    }

    @Test @LoopActor func aMessageThatIsNotCompletedIsGivenUp() throws {
        let line = try Line()
        let short = frame(textBytes: 100)
        line.client.write(Array(short.prefix(20)))
        line.loop.advance(by: .seconds(600))
        line.client.write(Array(short[20..<21]))
        line.peer.checkAlive(within: .seconds(1200))
        #expect(line.peer.isOpen)
        line.loop.advance(by: .seconds(1))
        line.peer.checkAlive(within: .seconds(1200))
        #expect(!line.peer.isOpen && line.owner.closedCount == 1)
        let complete = try Line()
        complete.client.write(short)
        complete.loop.advance(by: .seconds(601))
        complete.peer.checkAlive(within: .seconds(1200))
        #expect(complete.peer.isOpen)
    }

    @Test @LoopActor func unfinishedMessagesOfAllClientsShareOneLimit() throws {
        // 80 of 90 KiB.
        let long = frame(textBytes: 90 << 10)
        let parts = (0..<10).map { Array(long[$0 << 13..<($0 + 1) << 13]) }
        let count = ConnectionCount(limit: 9, perAddress: 9)
        let others = count.readmit()
        #expect(others.setHeld(bytes: (256 << 20) - 1))
        let line = try Line(count.readmit())
        line.client.send(String(repeating: "a", count: 100))
        for part in parts { line.client.write(part) }
        #expect(line.owner.arrivals.count == 1)
        #expect(!line.peer.isOpen)
        #expect(others.setHeld(bytes: 0))
        let permit = count.readmit()
        let later = try Line(permit)
        for part in parts { later.client.write(part) }
        #expect(later.peer.isOpen)
        // A resumable connection keeps its permit without a line.
        later.client.leave()
        #expect(others.setHeld(bytes: 256 << 20))
        withExtendedLifetime(permit) {}
    }

    @Test @LoopActor func unreadAnswersOfAllClientsShareTheLimit() throws {
        let count = ConnectionCount(limit: 9, perAddress: 9)
        let others = count.readmit()
        #expect(others.setHeld(bytes: 252 << 20))
        let lines = try (0..<2).map { _ in try Line(count.readmit()) }
        for line in lines { line.peer.send([UInt8](repeating: 0x61, count: 3 << 20)) }
        for line in lines { line.loop.advance(by: .zero) }
        #expect(lines.map(\.peer.isOpen) == [true, false])
        #expect(lines[1].owner.closedCount == 1)
        // Bytes that the client has read no longer count.
        #expect(!others.setHeld(bytes: 256 << 20))
        _ = try lines[0].client.receive()
        #expect(others.setHeld(bytes: 256 << 20))
    }

    @Test @LoopActor func aCloseWaitsForTheClientUntilTheDeadline() throws {
        let line = try Line()
        line.peer.close(.goingAway, "stop")
        line.peer.send(Array("too late".utf8))
        #expect(try line.client.receive() == [.close(.goingAway, reason: Array("stop".utf8))])
        #expect(line.owner.closingCount == 1)
        line.loop.advance(by: .seconds(1))
        #expect(line.owner.closedCount == 0)
        line.loop.advance(by: .seconds(1))
        #expect(line.owner.closedCount == 1)
        #expect(!line.peer.isOpen)
    }

    @Test @LoopActor func theClientsCloseFrameIsAnsweredAndReported() throws {
        let line = try Line()
        line.client.write(Frame.close(.normalClosure, maskKey: 7))
        #expect(line.owner.arrivals == [.closing, .closing])
        #expect(try line.client.receive() == [.close(.normalClosure, reason: [])])
        line.client.leave()
        #expect(line.owner.closedCount == 1)
    }

    @Test @LoopActor func aLostConnectionIsReportedOnceAndADroppedOneIsNot() throws {
        let lost = try Line()
        lost.client.leave()
        lost.peer.drop()
        #expect(lost.owner.closedCount == 1)
        let dropped = try Line()
        dropped.peer.drop()
        dropped.client.leave()
        #expect(dropped.owner.closedCount == 0)
    }

    @Test @LoopActor func anUnmaskedFrameEndsTheConnection() throws {
        let line = try Line()
        var frame: [UInt8] = []
        Frame.append(.text, Array("bare".utf8).span, to: &frame)
        line.client.write(frame)
        #expect(line.owner.arrivals == [.closing, .closing])
        guard case .close(.protocolError, _) = try line.client.receive().first else {
            Issue.record("no close frame")
            return
        }
    }
}
