import TestSupport
import Testing

@testable import Connections
@testable import EventLoop
@testable import Posix

@Suite(.serialized) struct ConnectionWriterTests {
    init() { LoopThread.start }

    /// More than the socket of a ``WriterPair`` accepts at once.
    private static let largeCount = 100_000

    @LoopActor private func turns(_ loop: ManualLoop = ManualLoop()) -> FairScheduler {
        FairScheduler(services: loop.services, loop: nil)
    }

    @Test @LoopActor func aControlMessageIsSentAtOnce() throws {
        let pair = try WriterPair(turns())
        pair.writer.sendControl(.frame("c"))
        #expect(pair.received().runs == "c")
        #expect(pair.writer.isEmpty)
    }

    @Test @LoopActor func streamsTakeTurnsFrameByFrame() throws {
        let pair = try WriterPair(turns())
        // The first frame blocks the socket, so both streams are in the queue when it has room again.
        pair.writer.enqueue(FrameStream(frames: [.frame("x", count: Self.largeCount)]))
        pair.writer.enqueue(FrameStream(frames: [.frame("a"), .frame("b")]))
        pair.writer.enqueue(FrameStream(frames: [.frame("1"), .frame("2")]))
        #expect(pair.receivedUntilQuiet().runs == "xa1b2")
    }

    @Test @LoopActor func aControlMessageWaitsForTheEndOfAFrameAndPrecedesTheNextFrame() throws {
        let pair = try WriterPair(turns())
        pair.writer.enqueue(FrameStream(frames: [.frame("x", count: Self.largeCount), .frame("y")]))
        pair.writer.sendControl(.frame("c"))
        let received = pair.receivedUntilQuiet()
        #expect(received.runs == "xcy")
        #expect(received.count == Self.largeCount + 2)
    }

    @Test @LoopActor func fullAndWritableSocketsAreEachReportedOnce() throws {
        let pair = try WriterPair(turns())
        pair.writer.enqueue(FrameStream(frames: [.frame("x", count: Self.largeCount)]))
        #expect(pair.writer.isBlocked)
        #expect(pair.interestChangeCount == 1)
        _ = pair.receivedUntilQuiet()
        #expect(!pair.writer.isBlocked)
        #expect(pair.interestChangeCount == 2)
    }

    @Test @LoopActor func aStreamThatEndsInsideAFrameCompletesTheFrameFirst() throws {
        let pair = try WriterPair(turns())
        let stream = FrameStream(frames: [.frame("x", count: Self.largeCount), .frame("y")])
        pair.writer.enqueue(stream)
        pair.writer.end(stream)
        #expect(!stream.isClosed)
        #expect(pair.receivedUntilQuiet().count == Self.largeCount)
        #expect(stream.isClosed)
    }

    @Test @LoopActor func aStreamThatEndsBetweenFramesIsClosedAtOnce() throws {
        let pair = try WriterPair(turns())
        pair.writer.enqueue(FrameStream(frames: [.frame("x", count: Self.largeCount)]))
        let waiting = FrameStream(frames: [.frame("y")])
        pair.writer.enqueue(waiting)
        pair.writer.end(waiting)
        #expect(waiting.isClosed)
        #expect(pair.receivedUntilQuiet().runs == "x")
    }

    @Test @LoopActor func framesAreSentAtOnceOnlyIfNothingElseWaits() throws {
        let pair = try WriterPair(turns())
        let stream = FrameStream()
        var sent: [Int] = []
        func sendAtOnce(_ frame: [UInt8]) -> Bool {
            frame.withUnsafeBytes { pair.writer.sendAtOnce(OutgoingBytes($0), for: stream) { sent.append($0) } }
        }
        #expect(sendAtOnce(.frame("a")))
        pair.writer.enqueue(FrameStream(frames: [.frame("x", count: Self.largeCount)]))
        #expect(!sendAtOnce(.frame("b")))
        #expect(sent == [1])
        #expect(pair.receivedUntilQuiet().runs == "ax")
    }

    @Test @LoopActor func unreadAnswersExceedTheLimitUntilTheClientReads() throws {
        let pair = try WriterPair(turns())
        pair.writer.sendControl(.frame("c", count: ControlQueue.limitBytes + Self.largeCount))
        #expect(pair.writer.isOverControlLimit)
        #expect(pair.receivedUntilQuiet().count == ControlQueue.limitBytes + Self.largeCount)
        #expect(!pair.writer.isOverControlLimit && pair.writer.isEmpty)
    }

    @Test @LoopActor func aPacedWriterBeginsWithAMark() throws {
        let pair = try WriterPair(turns())
        pair.writer.setPaced(true)
        let ping = pair.received()
        #expect(ping.first == 0x89 && ping.count == 10)
    }

    @Test @LoopActor func aPacedWriterSendsTheFirstWindowAndContinuesAfterThePong() throws {
        let loop = ManualLoop()
        let pair = try WriterPair(turns(loop))
        pair.writer.setPaced(true)
        _ = pair.received()
        pair.writer.enqueue(FrameStream(frames: [.frame("a", count: 1_024), .frame("b", count: 1_024)]))
        let first = pair.receivedUntilQuiet()
        #expect(first.contains(0x61) && !first.contains(0x62))
        loop.advance(by: .milliseconds(1))
        pair.writer.pongArrived(Array(first.suffix(8)))
        #expect(pair.received().contains(0x62))
    }

    /// A peer can answer only the last of several pings, and the sign of life is the last one here.
    @Test @LoopActor func theAnswerToASignOfLifeReturnsTheMarksBeforeIt() throws {
        let loop = ManualLoop()
        let pair = try WriterPair(turns(loop))
        pair.writer.setPaced(true)
        _ = pair.received()
        pair.writer.enqueue(FrameStream(frames: [.frame("a", count: 1_024), .frame("b", count: 1_024)]))
        _ = pair.receivedUntilQuiet()
        pair.writer.sendPing()
        let ping = pair.received()
        #expect(ping.first == 0x89)
        loop.advance(by: .milliseconds(1))
        pair.writer.pongArrived(Array(ping.dropFirst(2)))
        #expect(pair.received().contains(0x62))
    }

    @Test @LoopActor func anAbandonedWriterClosesTheCurrentStream() throws {
        let pair = try WriterPair(turns())
        let stream = FrameStream(frames: [.frame("x", count: Self.largeCount)])
        pair.writer.enqueue(stream)
        pair.writer.abandon()
        #expect(stream.isClosed && pair.writer.isEmpty)
    }
}

@Suite struct ControlQueueTests {
    @Test func onlyUnsentBytesCountAsWaiting() {
        var queue = ControlQueue()
        queue.append(Array("answer".utf8))
        queue.sent(3)
        queue.append(Array("+pong".utf8))
        #expect(queue.hasBegun)
        #expect(queue.withWaitingBytes { String(decoding: $0, as: UTF8.self) } == "wer+pong")
        queue.sent(8)
        #expect(queue.isEmpty && !queue.hasBegun)
    }

    @Test func sentBytesDoNotCountTowardTheLimit() {
        var queue = ControlQueue()
        queue.append([UInt8](repeating: 0, count: ControlQueue.limitBytes + 1))
        #expect(queue.isOverLimit)
        queue.sent(1)
        #expect(!queue.isOverLimit)
        queue.sent(100_000)
        #expect(queue.waitingCount == ControlQueue.limitBytes - 100_000)
    }
}
