import SessionRecords
import TestSupport
import Testing
import Tinyvex

@testable import EventLoop
@testable import SessionStreams

/// Sessions whose readers wait until a hub has the updates.
@Suite(.serialized) struct ConfirmedSessionTests {
    init() { LoopThread.start }

    @LoopActor private final class Count { var value = 0 }

    /// A session with these updates, of which the hub has none.
    @LoopActor private func session(_ lines: String..., in rig: SessionRig) -> (Session, ConfirmedPositions) {
        let positions = ConfirmedPositions()
        rig.registry.confirmed = positions
        let session = rig.session()
        for line in lines { rig.receive(line, by: session) }
        rig.log.answerAll()
        return (session, positions)
    }

    @LoopActor private func confirm(_ number: Int64, of session: Session, _ positions: ConfirmedPositions) {
        positions.raise(1, to: .init(seq: number, n: number))
        session.confirm()
    }

    @Test @LoopActor func aReaderIsSentOnlyWhatTheHubHas() throws {
        let rig = SessionRig()
        let (session, positions) = session(in: rig)
        let (connection, reader) = try rig.reader(of: session)
        rig.receive("a", "b", "c", by: session)
        rig.log.answerAll()
        #expect(connection.received() == [] && reader.isAtEnd && session.head == 0)
        confirm(2, of: session, positions)
        #expect(connection.received() == ["a", "b"] && reader.isAtEnd && session.head == 2)
        confirm(3, of: session, positions)
        #expect(connection.received() == ["c"] && reader.isAtEnd && rig.log.reads.isEmpty)
    }

    @Test @LoopActor func pagesOfTheLogAreCutToo() throws {
        let rig = SessionRig()
        let (session, positions) = session("a", "b", "c", in: rig)
        session.frames.dropNewest()
        let (connection, _) = try rig.reader(of: session)
        #expect(rig.log.reads.isEmpty)
        confirm(1, of: session, positions)
        rig.log.answerAll()
        #expect(connection.received() == ["a"])
        confirm(3, of: session, positions)
        rig.log.answerAll()
        #expect(connection.received() == ["b", "c"])
    }

    @Test @LoopActor func whatMustFollowUpdatesWaitsForThem() {
        let rig = SessionRig()
        let (session, positions) = session("a", in: rig)
        let (mark, count) = (session.receivedBytes, Count())
        session.whenPublished(through: mark) { count.value += 1 }
        rig.receive("b", by: session)
        rig.log.answerAll()
        #expect(!session.hasPublished(through: mark) && count.value == 0)
        confirm(1, of: session, positions)
        #expect(session.hasPublished(through: mark) && count.value == 1)
        #expect(!session.hasPublished(through: session.receivedBytes))
    }

    @Test @LoopActor func aHubThatWentBackTakesNothingFromReaders() {
        let rig = SessionRig()
        let (session, positions) = session("a", "b", in: rig)
        confirm(2, of: session, positions)
        confirm(1, of: session, positions)
        #expect(session.head == 2 && session.timelineEnd == 2)
    }

    @Test @LoopActor func withoutAHubNothingWaits() throws {
        let rig = SessionRig()
        let session = rig.session()
        let (connection, _) = try rig.reader(of: session)
        rig.receive("a", by: session)
        rig.log.answerAll()
        #expect(connection.received() == ["a"] && !session.waitsForHub && session.timelineEnd == 1)
    }
}

@Suite struct UnconfirmedAppendsTests {
    @Test func bytesAreConfirmedWithTheirItems() {
        var appends = UnconfirmedAppends()
        appends.stored(through: 3, bytes: 30)
        appends.stored(through: 5, bytes: 50)
        appends.confirmed(through: 2)
        #expect(appends.confirmedBytes == 0)
        appends.confirmed(through: 4)
        #expect(appends.confirmedBytes == 30)
        appends.confirmed(through: 5)
        #expect(appends.confirmedBytes == 50)
    }

    @Test func manyAppendsCountAsOne() {
        var appends = UnconfirmedAppends()
        for n in 1...1_000 { appends.stored(through: Int64(n), bytes: n) }
        appends.confirmed(through: 999)
        #expect(appends.confirmedBytes < 64)
        appends.confirmed(through: 1_000)
        #expect(appends.confirmedBytes == 1_000)
    }
}
