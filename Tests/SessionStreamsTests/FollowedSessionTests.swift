import SessionRecords
import TestSupport
import Testing
import Tinyvex

@testable import EventLoop
@testable import SessionStreams

/// Sessions of other bridges, which a bridge reads from a hub.
@Suite(.serialized) struct FollowedSessionTests {
    init() { LoopThread.start }

    private func record(head: Int64, isLive: Bool = true, epoch: Int64 = 1) -> SessionRecord {
        var record = SessionRecord(
            sid: 1, agent: "agent", sessionId: "s", title: nil, cwd: nil, firstPrompt: nil, tenant: nil,
            label: SessionLabel(), journal: Journal(logId: 1, sid: 1, epoch: epoch), createdTs: 1, lastTs: 1, oldest: 1,
            head: head, timelineHead: head, state: isLive ? .live : .ended, exit: isLive ? nil : "exited 0")
        record.home = SessionHome(bridge: "b", isRunning: false, unreachableTs: nil)
        return record
    }

    /// The page with these lines, of which the first has number `first`.
    private func page(_ first: Int64, _ lines: String...) -> Answer {
        .page(
            UpdatePage(
                first: first, count: lines.count, lines: lines.flatMap { Array($0.utf8) + [0x0a] }, isAtEnd: true))
    }

    @Test @LoopActor func aReaderIsSentWhatTheHubGets() throws {
        let rig = SessionRig()
        let session = Session(record: record(head: 1), registry: rig.registry)
        let (connection, reader) = try rig.reader(of: session)
        rig.log.answerRead(page(1, "a"))
        #expect(connection.received() == ["a"] && reader.isAtEnd && session.isLive)
        session.follow(record(head: 1), takenBackFrom: nil)
        #expect(reader.isAtEnd && rig.log.reads.isEmpty)
        session.follow(record(head: 3), takenBackFrom: nil)
        rig.log.answerRead(page(2, "b", "c"))
        #expect(connection.received() == ["b", "c"] && reader.isAtEnd)
    }

    @Test @LoopActor func aReaderIsNotifiedOfTheEnd() throws {
        let rig = SessionRig()
        let session = Session(record: record(head: 0), registry: rig.registry)
        let (connection, _) = try rig.reader(of: session)
        session.follow(record(head: 0, isLive: false), takenBackFrom: nil)
        #expect(connection.notices.contains { $0.contains("tinyvex/ended") } && !session.isLive)
    }

    @Test @LoopActor func aReaderAheadOfTheHubWaits() throws {
        let rig = SessionRig()
        let session = Session(record: record(head: 1), registry: rig.registry)
        let (connection, reader) = try rig.reader(of: session, from: 3)
        #expect(reader.isAtEnd && rig.log.reads.isEmpty)
        session.follow(record(head: 3), takenBackFrom: nil)
        rig.log.answerRead(page(3, "c"))
        #expect(connection.received() == ["c"])
    }

    @Test @LoopActor func aReaderWaitsWhileTheHubIsAway() throws {
        let rig = SessionRig()
        let session = Session(record: record(head: 1), registry: rig.registry)
        let (connection, _) = try rig.reader(of: session)
        rig.log.failRead(.hubFailed(reason: "away"))
        #expect(!connection.isFailed && rig.log.reads.isEmpty)
        rig.loop.advance(by: .seconds(1))
        rig.log.answerRead(page(1, "a"))
        #expect(connection.received() == ["a"] && !connection.isFailed)
    }

    @Test @LoopActor func readersAreDisconnectedIfTheHistoryChanges() throws {
        let rig = SessionRig()
        let session = Session(record: record(head: 3), registry: rig.registry)
        let (connection, _) = try rig.reader(of: session, from: 4)
        session.follow(record(head: 5, epoch: 2), takenBackFrom: 4)
        #expect(!connection.isFailed)
        session.follow(record(head: 5, epoch: 3), takenBackFrom: 5)
        #expect(connection.isFailed)
    }
}
