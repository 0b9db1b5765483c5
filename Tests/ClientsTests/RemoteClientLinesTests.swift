import TestSupport
import Testing

@testable import Clients
@testable import EventLoop

/// A session in which the test decides what is stored and sent.
@LoopActor private final class FakeSession: LineSession {
    var receivedBytes = 0
    var publishedBytes = 0 {
        didSet {
            let due = whenPublished.filter { $0.mark <= publishedBytes }
            whenPublished.removeAll { $0.mark <= publishedBytes }
            for entry in due { entry.action() }
        }
    }
    private var whenPublished: [(mark: Int, action: @LoopActor () -> Void)] = []
    private var places: [@LoopActor (Int64) -> Void] = []

    nonisolated init() {}

    func hasPublished(through mark: Int) -> Bool { publishedBytes >= mark }

    func whenPublished(through mark: Int, _ action: @escaping @LoopActor () -> Void) {
        whenPublished.append((mark, action))
    }

    func place(_ action: @escaping @LoopActor (Int64) -> Void) { places.append(action) }

    /// Reports the number of the newest update before each line that waits for it.
    func number(_ number: Int64) {
        let waiting = places
        places = []
        for action in waiting { action(number) }
    }
}

@LoopActor private final class FakeReader: UpdateReader {
    var sent: Int64 = 0 {
        didSet {
            guard let awaited, sent >= awaited.number else { return }
            self.awaited = nil
            awaited.action()
        }
    }
    private(set) var stop = Int64.max
    private var awaited: (number: Int64, action: @LoopActor () -> Void)?

    nonisolated init() {}

    func isPast(_ number: Int64) -> Bool { sent >= number }
    func whenPast(_ number: Int64, _ action: @escaping @LoopActor () -> Void) { awaited = (number, action) }
    func stop(after number: Int64) { stop = number }
}

@LoopActor private final class FakeConnection: LineConnection {
    var sent: [String] = []
    var reader: FakeReader?
    private(set) var isClosedAsSlow = false

    nonisolated init() {}

    func closeSlowClient() { isClosedAsSlow = true }
    func send(_ message: [UInt8]) { sent.append(String(decoding: message, as: UTF8.self)) }
    func updateReader(of session: any LineSession) -> (any UpdateReader)? { reader }
}

@Suite(.serialized) struct RemoteClientLinesTests {
    init() { LoopThread.start }

    @Test @LoopActor func aLineWithoutASessionIsSentAtOnce() {
        let connection = FakeConnection()
        let lines = RemoteClientLines(connection)
        lines.send(Array("a".utf8), after: nil)
        #expect(connection.sent == ["a"])
        #expect(lines.isEmpty)
    }

    @Test @LoopActor func aLineWaitsUntilTheUpdatesBeforeItAreStored() {
        let (connection, session) = (FakeConnection(), FakeSession())
        let lines = RemoteClientLines(connection)
        session.receivedBytes = 10
        lines.send(Array("answer".utf8), after: session)
        lines.send(Array("next".utf8), after: nil)
        #expect(connection.sent.isEmpty && !lines.isEmpty)
        session.publishedBytes = 9
        #expect(connection.sent.isEmpty)
        session.publishedBytes = 10
        #expect(connection.sent == ["answer", "next"])
    }

    @Test @LoopActor func aLineWaitsUntilTheReaderHasSentTheUpdatesBeforeIt() {
        let (connection, session, reader) = (FakeConnection(), FakeSession(), FakeReader())
        connection.reader = reader
        let lines = RemoteClientLines(connection)
        session.receivedBytes = 10
        lines.send(Array("answer".utf8), after: session)
        session.number(5)
        // The reader must not send the updates that come after the line.
        #expect(reader.stop == 5)
        session.publishedBytes = 10
        #expect(connection.sent.isEmpty)
        reader.sent = 4
        #expect(connection.sent.isEmpty)
        reader.sent = 5
        #expect(connection.sent == ["answer"])
        #expect(reader.stop == .max)
    }

    @Test @LoopActor func theReaderStopsAtEachLineInTurn() {
        let (connection, session, reader) = (FakeConnection(), FakeSession(), FakeReader())
        connection.reader = reader
        let lines = RemoteClientLines(connection)
        lines.send(Array("one".utf8), after: session)
        session.receivedBytes = 10
        session.number(0)
        lines.send(Array("two".utf8), after: session)
        session.number(3)
        #expect(connection.sent == ["one"])
        #expect(reader.stop == 3)
        session.publishedBytes = 10
        reader.sent = 3
        #expect(connection.sent == ["one", "two"])
        #expect(reader.stop == .max)
    }

    @Test @LoopActor func theLastActionFollowsAllLines() {
        let (connection, session) = (FakeConnection(), FakeSession())
        let lines = RemoteClientLines(connection)
        session.receivedBytes = 1
        lines.send(Array("a".utf8), after: session)
        lines.whenSent { connection.sent.append("end") }
        #expect(connection.sent.isEmpty)
        session.publishedBytes = 1
        #expect(connection.sent == ["a", "end"])
        #expect(lines.isEmpty)
    }

    @Test @LoopActor func moreThan64MiBOfLinesCloseTheConnection() {
        let (connection, session) = (FakeConnection(), FakeSession())
        let lines = RemoteClientLines(connection)
        session.receivedBytes = 1
        let line = [UInt8](repeating: 0x61, count: RemoteClientLines.limitBytes / 2)
        lines.send(line, after: session)
        lines.send(line, after: session)
        #expect(!connection.isClosedAsSlow)
        lines.send([0x61], after: session)
        #expect(connection.isClosedAsSlow)
        #expect(connection.sent.isEmpty)
    }
}
