import SessionRecords
import TestSupport
import Testing
import Tinyvex

@testable import EventLoop
@testable import SessionStreams

@Suite(.serialized) struct HistoryStreamTests {
    init() { LoopThread.start }

    private static let prompt = Array(#"{"sessionId":"s","prompt":[{"type":"text","text":"hello"}]}"#.utf8)

    private static func answer(_ text: String) -> String {
        #"{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"\#(text)"}}}"#
    }

    /// An earlier fault: a history that began before the log had the session contained no prompts.
    @Test @LoopActor func theHistoryContainsWhatWasNotStoredWhenItBegan() throws {
        let rig = SessionRig()
        let session = rig.session()
        session.note(.prompt, Self.prompt)
        rig.receive(Self.answer("agent_message_chunk"), by: session)
        let (connection, finished) = try rig.history(of: session)
        #expect(connection.received() == [] && rig.log.reads.isEmpty, "nothing is stored yet")

        while !rig.log.writes.isEmpty { rig.log.answerWrite() }
        let items: [TimelineItem] = [
            .entry(n: 1, seq: 0, ts: 0, kind: "prompt", body: Self.prompt),
            .update(n: 2, seq: 1, ts: 0, line: Array(Self.answer("agent_message_chunk").utf8)),
        ]
        rig.log.answerRead(.timeline(TimelinePage(items: items, isAtEnd: true)))
        let received = connection.received()
        #expect(received.count == 2 && received.first?.contains("user_message_chunk") == true)
        #expect(received.last == Self.answer("agent_message_chunk"))
        rig.loop.advance(by: .zero)
        #expect(finished.next == 2)
    }

    @Test @LoopActor func theHistoryDoesNotWaitForALogThatFails() throws {
        let rig = SessionRig()
        let session = rig.session()
        rig.receive("a", by: session)
        let (_, finished) = try rig.history(of: session)
        rig.log.failWrite()
        rig.loop.advance(by: .zero)
        #expect(finished.next == 1)
    }
}

@LoopActor private final class Finished { var next: Int64? }

extension SessionRig {
    /// Begins a history on a connection of its own.
    fileprivate func history(of session: Session) throws -> (FakeConnection, Finished) {
        let connection = try connection()
        let finished = Finished()
        let stream = HistoryStream(
            subId: "h", session: session, addsPrompts: true, connection: connection, registry: registry
        ) { finished.next = $0 }
        connection.add(stream)
        return (connection, finished)
    }
}
