import TestSupport
import Testing

@testable import EventLoop
@testable import SessionStreams

/// A session with more than 1,000 readers pauses after each publication, for 12.5 µs a reader.
@Suite(.serialized) struct SessionPublicationTests {
    init() { LoopThread.start }

    private static let many = 1_001
    private static let pause = Duration.nanoseconds(12_500) * many

    @Test @LoopActor func updatesDuringAPauseAreSentTogetherAfterIt() throws {
        let rig = SessionRig()
        let session = rig.session()
        let connection = try rig.readers(Self.many, of: session)
        rig.receive("a", by: session)
        rig.answerAllAndSend()
        #expect(rig.received(connection).runs == "a*1001")

        for line in ["b", "c", "d"] {
            rig.receive(line, by: session)
            rig.answerAllAndSend()
        }
        #expect(rig.received(connection).isEmpty && session.head == 1, "three updates are held back")
        rig.loop.advance(by: Self.pause)
        #expect(session.head == 4)
        // Each reader is sent all three in one write, so they are not mixed with those of other readers.
        let received = rig.received(connection)
        #expect(received.count == 3 * Self.many && Array(received.prefix(6)) == ["b", "c", "d", "b", "c", "d"])
    }

    @Test @LoopActor func fewReadersAreSentEachUpdateAtOnce() throws {
        let rig = SessionRig()
        let session = rig.session()
        let connection = try rig.readers(10, of: session)
        for line in ["a", "b"] {
            rig.receive(line, by: session)
            rig.answerAllAndSend()
            #expect(rig.received(connection).runs == "\(line)*10")
        }
    }

    @Test @LoopActor func theEndDoesNotWaitForThePause() throws {
        let rig = SessionRig()
        let session = rig.session()
        let connection = try rig.readers(Self.many, of: session)
        for line in ["a", "b"] {
            rig.receive(line, by: session)
            rig.answerAllAndSend()
        }
        #expect(session.head == 1)
        session.end(.closed)
        rig.answerAllAndSend()
        #expect(session.head == 2 && rig.received(connection).count == 2 * Self.many)
        #expect(connection.notices.count == Self.many)
    }

    @Test @LoopActor func actionsThatFollowAHeldUpdateWaitForIt() throws {
        let rig = SessionRig()
        let session = rig.session()
        _ = try rig.readers(Self.many, of: session)
        for line in ["a", "b"] {
            rig.receive(line, by: session)
            rig.answerAllAndSend()
        }
        let mark = session.receivedBytes
        #expect(!session.hasPublished(through: mark))
        rig.loop.advance(by: Self.pause)
        #expect(session.hasPublished(through: mark))
    }

    @Test @LoopActor func moreThanALimitOfBytesEndsThePause() throws {
        let rig = SessionRig()
        let session = rig.session()
        _ = try rig.readers(Self.many, of: session)
        rig.receive("a", by: session)
        rig.answerAllAndSend()
        let line = String(repeating: "x", count: 100_000)
        for head in [Int64(1), 1, 4] {
            rig.receive(line, by: session)
            rig.log.answerAll()
            #expect(session.head == head)
        }
    }
}

extension SessionRig {
    /// Creates this many readers on one connection.
    fileprivate func readers(_ count: Int, of session: Session) throws -> FakeConnection {
        let connection = try connection()
        for number in 0..<count {
            connection.add(
                Subscription(
                    subId: "r\(number)", stream: .updates, session: session, next: 1, connection: connection,
                    registry: registry))
        }
        answerAllAndSend()
        return connection
    }

    /// Reads until nothing more comes. The socket has room for only a part.
    fileprivate func received(_ connection: FakeConnection) -> [String] {
        var payloads: [String] = []
        while case let more = connection.received(), !more.isEmpty {
            payloads += more
            connection.writer.becameWritable()
            loop.advance(by: .zero)
        }
        return payloads
    }

    /// Answers the log's requests, and lets all readers that wait for their turn continue.
    fileprivate func answerAllAndSend() {
        log.answerAll()
        loop.advance(by: .zero)
    }
}

extension [String] {
    /// The payloads, with the count of equal neighbours.
    fileprivate var runs: String {
        var runs: [(text: String, count: Int)] = []
        for text in self {
            if runs.last?.text == text { runs[runs.count - 1].count += 1 } else { runs.append((text, 1)) }
        }
        return runs.map { "\($0.text)*\($0.count)" }.joined(separator: " ")
    }
}
