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
    private func page(_ first: Int64, _ texts: String...) -> Answer {
        .page(
            UpdatePage(
                first: first, count: texts.count, lines: texts.flatMap { Array(update($0).utf8) + [0x0a] },
                isAtEnd: true))
    }

    private func update(_ text: String, of session: String = "s") -> String {
        #"{"method":"session/update","params":{"sessionId":"\#(session)","update":{"text":"\#(text)"}}}"#
    }

    @Test @LoopActor func aReaderIsSentWhatTheHubGets() throws {
        let rig = SessionRig()
        let session = Session(record: record(head: 1), registry: rig.registry)
        let (connection, reader) = try rig.reader(of: session)
        rig.log.answerRead(page(1, "a"))
        #expect(connection.received() == [update("a")] && reader.isAtEnd && session.isLive)
        session.follow(record(head: 1), takenBackFrom: nil)
        #expect(reader.isAtEnd && rig.log.reads.isEmpty)
        session.follow(record(head: 3), takenBackFrom: nil)
        rig.log.answerRead(page(2, "b", "c"))
        #expect(connection.received() == [update("b"), update("c")] && reader.isAtEnd)
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
        #expect(connection.received() == [update("c")])
    }

    /// A hub, or a peer, must not send other messages through this bridge.
    @Test(arguments: [
        #"{"method":"session/update","params":{"sessionId":"other","update":{}}}"#,
        #"{"jsonrpc":"2.0","id":2,"result":{}}"#, "{}", "no JSON", "",
    ])
    @LoopActor func aMessageThatIsNoUpdateOfTheSessionEndsTheReader(line: String) throws {
        let rig = SessionRig()
        let session = Session(record: record(head: 1), registry: rig.registry)
        let (connection, reader) = try rig.reader(of: session)
        let bytes = Array(line.utf8)
        rig.log.answerRead(.page(UpdatePage(first: 1, count: 1, lines: bytes + [0x0a], isAtEnd: true)))
        #expect(reader.isClosed && !connection.isFailed)
        #expect(!connection.received().contains(line))
    }

    @Test @LoopActor func forgedUpdatesOfALookAreNotSent() throws {
        let rig = SessionRig()
        let session = Session(record: record(head: 0), registry: rig.registry)
        let (connection, _) = try rig.reader(of: session)
        let lines = Array((update("x", of: "other") + "\n").utf8)
        let page = UpdatePage(first: 1, count: 1, lines: lines, isAtEnd: true)
        session.follow(record(head: 1), takenBackFrom: nil, updates: page)
        #expect(connection.received() == [] && rig.log.reads.count == 1)
    }

    @Test @LoopActor func aReaderWaitsWhileTheHubIsAway() throws {
        let rig = SessionRig()
        let session = Session(record: record(head: 1), registry: rig.registry)
        let (connection, _) = try rig.reader(of: session)
        rig.log.failRead(.hubFailed(reason: "away"))
        #expect(!connection.isFailed && rig.log.reads.isEmpty)
        rig.loop.advance(by: .seconds(1))
        rig.log.answerRead(page(1, "a"))
        #expect(connection.received() == [update("a")] && !connection.isFailed)
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
