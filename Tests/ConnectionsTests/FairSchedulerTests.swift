import TestSupport
import Testing

@testable import Connections
@testable import EventLoop
@testable import Posix

@Suite(.serialized) struct FairSchedulerTests {
    init() { LoopThread.start }

    @Test @LoopActor func aTurnContinuesUntilItsShareIsSpent() {
        let turns = FairScheduler(services: ManualLoop().services, loop: nil)
        #expect(turns.hasTime)
        turns.lookedThrough(499_999)
        #expect(turns.hasTime)
        turns.wrote(0)
        #expect(!turns.hasTime)
    }

    @Test @LoopActor func aGrantAllowsOneMoreWrite() {
        let turns = FairScheduler(services: ManualLoop().services, loop: nil)
        turns.compressed(1_000_000)
        turns.grant()
        #expect(turns.hasTime)
        turns.wrote(1)
        #expect(!turns.hasTime)
    }

    @Test @LoopActor func aWriterWithoutTimeContinuesInTheNextRound() throws {
        let loop = ManualLoop()
        let turns = FairScheduler(services: loop.services, loop: nil)
        let pair = try WriterPair(turns)
        turns.lookedThrough(1_000_000)
        pair.writer.enqueue(FrameStream(frames: [.frame("a")]))
        #expect(pair.received().isEmpty)
        #expect(turns.othersWait)
        loop.advance(by: .zero)
        #expect(pair.received().runs == "a")
        #expect(!turns.othersWait)
    }

    @Test @LoopActor func waitingWritersSendOneFrameEachInEachRound() throws {
        let loop = ManualLoop()
        let turns = FairScheduler(services: loop.services, loop: nil)
        let pairs = try (0..<3).map { _ in try WriterPair(turns) }
        let order = Order()
        turns.lookedThrough(1_000_000)
        for (index, pair) in pairs.enumerated() {
            pair.writer.enqueue(FrameStream(frames: [.frame("a"), .frame("b")]) { order.names.append("\(index)") })
        }
        loop.advance(by: .zero)
        #expect(order.names == ["0", "1", "2", "0", "1", "2"])
    }

    @Test @LoopActor func aRoundEndsWhenItsShareIsSpent() throws {
        let loop = ManualLoop()
        let turns = FairScheduler(services: loop.services, loop: nil)
        let pairs = try (0..<2).map { _ in try WriterPair(turns) }
        let order = Order()
        turns.lookedThrough(1_000_000)
        pairs[0].writer.enqueue(ScanningStream(turns) { order.names.append("scan") })
        pairs[1].writer.enqueue(FrameStream(frames: [.frame("b")]) { order.names.append("send") })
        loop.advance(by: .zero)
        #expect(order.names == ["scan", "send", "scan", "scan"])
    }
}

@LoopActor private final class Order { var names: [String] = [] }

/// A stream that searches three times for what it will send, and spends a whole share on each search.
@LoopActor private final class ScanningStream: OutgoingStream {
    let subId = ""
    let tenant: String? = nil
    var isQueued = false
    let isClosed = false
    let isMidFrame = false
    let isAtEnd = false
    let keepsPace = false
    private var scanCount = 0
    private let turns: FairScheduler
    private let scans: @LoopActor () -> Void

    init(_ turns: FairScheduler, scans: @escaping @LoopActor () -> Void) {
        self.turns = turns
        self.scans = scans
    }

    func send(through writer: ConnectionWriter, limitBytes: Int) -> SendOutcome {
        guard scanCount < 3 else { return .atEnd }
        scanCount += 1
        scans()
        turns.lookedThrough(500_000)
        return .unfinished
    }

    func reachedEnd() {}
    func close() {}
}
