import SQLite
import SessionRecords
import TestSupport
import Testing
import Tinyvex

@testable import EventLoop
@testable import Posix
@testable import SessionLog
@testable import SessionStreams

@Suite(.serialized) struct SubscriptionTests {
    init() { LoopThread.start }

    @LoopActor private final class Count { var value = 0 }

    /// A session with these lines, of which none is in memory.
    @LoopActor private func pastSession(_ rig: SessionRig, _ lines: String...) -> Session {
        let session = rig.session()
        for line in lines { rig.receive(line, by: session) }
        rig.log.answerAll()
        session.frames.dropNewest()
        return session
    }

    @Test @LoopActor func aReaderIsSentTheTailAndThenEachNewUpdate() throws {
        let rig = SessionRig()
        let session = rig.session()
        rig.receive("a", "b", by: session)
        rig.log.answerAll()
        let (connection, reader) = try rig.reader(of: session, from: 2)
        #expect(connection.received() == ["b"] && reader.isAtEnd)
        rig.receive("c", by: session)
        rig.log.answerAll()
        #expect(connection.received() == ["c"])
    }

    @Test @LoopActor func aReaderBeforeTheTailReadsOnePageOfTheLog() throws {
        let rig = SessionRig()
        let session = pastSession(rig, "a", "b", "c")
        let (connection, reader) = try rig.reader(of: session)
        #expect(rig.log.reads.count == 1 && connection.received() == [])
        rig.log.answerAll()
        #expect(connection.received() == ["a", "b", "c"] && reader.isAtEnd)
    }

    @Test @LoopActor func aReaderIsSentNothingAfterTheLastUpdateThatItNeeds() throws {
        for policy in [Policy.lossless, .latest] {
            let rig = SessionRig()
            let session = pastSession(rig, "a", "b", "c")
            let (connection, reader) = try rig.reader(of: session, until: 2, policy: PolicyTerms(policy))
            rig.log.answerAll()
            #expect(connection.received() == ["a", "b"])
            rig.receive("d", by: session)
            rig.log.answerAll()
            #expect(connection.received() == [] && rig.log.reads.isEmpty && reader.isAtEnd)
        }
    }

    @Test @LoopActor func aReaderThatNeedsLaterUpdatesWaitsForThem() throws {
        let rig = SessionRig()
        let session = rig.session()
        rig.receive("a", by: session)
        rig.log.answerAll()
        let (connection, _) = try rig.reader(of: session, until: 2)
        #expect(connection.received() == ["a"])
        rig.receive("b", "c", by: session)
        rig.log.answerAll()
        #expect(connection.received() == ["b"])
    }

    @Test @LoopActor func aPageOfATimelineIsReadUpToTheLastNumberThatItsReaderNeeds() throws {
        let rig = SessionRig()
        let session = pastSession(rig, "a", "b", "c")
        _ = try rig.reader(of: session, .timeline, from: 2, until: 3)
        guard case .timeline(_, after: 1, through: 3, _, _)? = rig.log.reads.first?.0 else {
            Issue.record("another read: \(rig.log.reads.map(\.0))")
            return
        }
        let items = [2, 3].map { TimelineItem.update(n: $0, seq: $0, ts: 0, line: Array("{}".utf8)) }
        rig.log.answerRead(.timeline(TimelinePage(items: items, isAtEnd: false)))
        #expect(rig.log.reads.isEmpty)
    }

    @Test @LoopActor func trimmedUpdatesAreReportedInANotice() throws {
        let rig = SessionRig()
        let session = pastSession(rig, "a", "b", "c")
        rig.log.oldest = 3
        let (connection, _) = try rig.reader(of: session)
        rig.log.answerAll()
        let received = connection.received()
        #expect(received.count == 2 && received.last == "c")
        #expect(received.first?.contains(#""fromSeq":1,"toSeq":2,"reason":"retention""#) == true)
    }

    @Test @LoopActor func aStoppedReaderContinuesWhenTheStopMoves() throws {
        let rig = SessionRig()
        let session = rig.session()
        rig.log.answerAll()
        let (connection, reader) = try rig.reader(of: session)
        reader.stop(after: 1)
        rig.receive("a", "b", by: session)
        rig.log.answerAll()
        #expect(connection.received() == ["a"])
        reader.stop(after: .max)
        #expect(connection.received() == ["b"])
    }

    @Test @LoopActor func anActionThatWaitsForAnUpdateRunsAfterControlReturnsToTheLoop() throws {
        let rig = SessionRig()
        let session = rig.session()
        rig.log.answerAll()
        let (_, reader) = try rig.reader(of: session)
        let count = Count()
        reader.whenPast(1) { count.value += 1 }
        rig.receive("a", by: session)
        rig.log.answerAll()
        #expect(reader.isPast(1) && count.value == 0)
        rig.loop.advance(by: .zero)
        #expect(count.value == 1)
    }

    @Test @LoopActor func aClosedReaderRunsItsActionAndIsSentNothing() throws {
        let rig = SessionRig()
        let session = rig.session()
        rig.log.answerAll()
        let (connection, reader) = try rig.reader(of: session)
        let count = Count()
        reader.whenPast(5) { count.value += 1 }
        #expect(connection.removeSubscription("r"))
        rig.loop.advance(by: .zero)
        #expect(reader.isClosed && count.value == 1)
        rig.receive("a", by: session)
        rig.log.answerAll()
        #expect(connection.received() == [])
    }

    @Test @LoopActor func aReaderOfADeletedSessionIsEndedWithAReason() throws {
        let rig = SessionRig()
        let session = rig.session()
        rig.log.answerAll()
        let (connection, reader) = try rig.reader(of: session)
        session.deleted()
        #expect(reader.isClosed)
        #expect(connection.messages.count == 1 && connection.messages[0].contains("was deleted"))
    }

    @Test @LoopActor func aReaderMovesToTheSessionsNewObject() throws {
        let rig = SessionRig()
        let past = rig.session()
        rig.receive("a", by: past)
        rig.log.answerAll()
        let (connection, reader) = try rig.reader(of: past)
        #expect(connection.received() == ["a"])
        let next = Session(agent: "agent", id: "s", tenant: nil, registry: rig.registry)
        next.claim(.again(sid: 1))
        rig.log.answerAll()
        next.adoptReaders(of: past)
        #expect(reader.session === next && reader.isAtEnd)
        rig.receive("b", by: next)
        rig.log.answerAll()
        #expect(connection.received() == ["b"])
    }

    @Test @LoopActor func aDamagedPageEndsTheReaderAndOtherFailuresCloseTheConnection() throws {
        let rig = SessionRig()
        let session = pastSession(rig, "a")
        let (damaged, reader) = try rig.reader(of: session)
        rig.log.failRead(.engine(SQLiteError(code: 11)))
        #expect(reader.isClosed && !damaged.isFailed)
        let (failed, _) = try rig.reader(of: session)
        rig.log.failRead(.engine(SQLiteError(code: 10)))
        #expect(failed.isFailed && failed.notices.count == 1)
    }

    @Test @LoopActor func aReaderWaitsForRoomOnTheDiskAndIsNotifiedOnce() throws {
        let rig = SessionRig()
        let session = pastSession(rig, "a")
        let (connection, _) = try rig.reader(of: session)
        for _ in 0..<3 {
            rig.log.failRead(.diskIsFull)
            #expect(!connection.isFailed && connection.notices.count == 1 && rig.log.reads.isEmpty)
            rig.loop.advance(by: .seconds(1))
        }
        rig.log.answerAll()
        #expect(connection.received().last == "a")
    }

    @Test @LoopActor func aSlowReaderUnderAPolicyIsSentTheNewestAndAReport() throws {
        let rig = SessionRig()
        let session = rig.session()
        let update = #"{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"x"}}"#
        let line = #"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":\#(update)}}"#
        for _ in 0..<5 { rig.receive(line, by: session) }
        rig.log.answerAll()
        var terms = PolicyTerms(.latest)
        terms.maxFrames = 2
        let (connection, reader) = try rig.reader(of: session, policy: terms)
        let received = connection.received()
        #expect(received.count == 3 && received[0] == line && received[2] == line)
        #expect(received[1].contains(#""fromSeq":2,"toSeq":4,"reason":"latest""#))
        #expect(reader.isAtEnd && connection.messages == [])
        rig.loop.advance(by: .zero)
        #expect(connection.messages.count == 1 && connection.messages[0].contains(#""skipped":3"#))
    }
}

@Suite(.serialized) struct PageCacheTests {
    init() { LoopThread.start }

    @LoopActor private final class Reader: PageReader {
        private(set) var firsts: [Int64] = []
        private(set) var failureCount = 0

        nonisolated init() {}
        func pageArrived(_ chunk: FrameChunk) { firsts.append(chunk.first) }
        func pageFailed(_ error: LogError?) { failureCount += 1 }
    }

    @LoopActor private func read(_ cache: PageCache, _ owner: PageCache.Owner, from number: Int64, _ reader: Reader) {
        cache.read(.init(owner: owner, from: number), .page(sid: 1, from: number), for: reader) { answer in
            guard case .page(let page) = answer else { return nil }
            return FrameChunk(lines: page.lines, count: page.count, first: page.first, receiverCount: 1)
        }
    }

    private func page(from first: Int64, bytes: Int = 1) -> Answer {
        .page(
            UpdatePage(
                first: first, count: 1, lines: [UInt8](repeating: 0x61, count: bytes) + [0x0a], isAtEnd: false))
    }

    @Test @LoopActor func readersAtOnePositionShareOneReadAndOneCopy() {
        let log = FakeLog()
        let cache = PageCache(log: log, timers: ManualLoop())
        let owner = cache.newOwner()
        let readers = [Reader(), Reader()]
        for reader in readers { read(cache, owner, from: 5, reader) }
        #expect(log.reads.count == 1)
        log.answerRead(page(from: 5))
        #expect(readers.map(\.firsts) == [[5], [5]])
        #expect(cache.chunk(of: owner, holding: 5) != nil)
        #expect(cache.chunk(of: owner, holding: 6) == nil)
        #expect(cache.chunk(of: cache.newOwner(), holding: 5) == nil)
    }

    @Test @LoopActor func atMostEightReadsAreInFlight() {
        let log = FakeLog()
        let cache = PageCache(log: log, timers: ManualLoop())
        let owner = cache.newOwner()
        let reader = Reader()
        for number in 1...20 as ClosedRange<Int64> { read(cache, owner, from: number, reader) }
        #expect(log.reads.count == 8)
        log.answerRead(page(from: 1))
        #expect(log.reads.count == 8 && reader.firsts == [1])
    }

    @Test @LoopActor func theOldestPageAndPagesOfForgottenOwnersAreEvicted() {
        let log = FakeLog()
        let cache = PageCache(log: log, timers: ManualLoop())
        let owner = cache.newOwner()
        let reader = Reader()
        for number in 1...6 as ClosedRange<Int64> {
            read(cache, owner, from: number, reader)
            log.answerRead(page(from: number, bytes: 1 << 20))
        }
        #expect(cache.chunk(of: owner, holding: 1) == nil)
        #expect(cache.chunk(of: owner, holding: 6) != nil)
        cache.forget(owner)
        #expect(cache.chunk(of: owner, holding: 6) == nil)
    }

    @Test @LoopActor func aFailedReadIsReportedToEachReader() {
        let log = FakeLog()
        let cache = PageCache(log: log, timers: ManualLoop())
        let reader = Reader()
        read(cache, cache.newOwner(), from: 1, reader)
        log.failRead(.diskIsFull)
        #expect(reader.failureCount == 1 && reader.firsts == [])
    }
}
