import Diagnostics
import SessionStreams
import Synchronization
import TestSupport
import Testing

@testable import Agents
@testable import Bridge
@testable import EventLoop

/// A lifecycle log that writes into memory.
@LoopActor private final class Parts {
    let lifecycle: LifecycleLog
    private let text = Text()

    private final class Text: Sendable {
        let bytes = Mutex<[UInt8]>([])
    }

    init() {
        let log = DiagnosticLog()
        log.start(.debug, .text) { [text] line in
            text.bytes.withLock { $0 += line }
            return line.count
        }
        lifecycle = LifecycleLog(log)
    }

    /// The names of the events so far.
    var events: [String] {
        String(decoding: text.bytes.withLock { $0 }, as: UTF8.self).split(separator: " ").compactMap { word in
            word.hasPrefix("event=") ? String(word.dropFirst(6)) : nil
        }
    }
}

@Suite(.serialized) struct LifecycleLogTests {
    init() { LoopThread.start }

    @Test @LoopActor func eachStartAndEndOfAnAgentIsLoggedOnce() throws {
        let (bridge, parts) = (try BridgeParts(), Parts())
        let run = try bridge.launch()
        for _ in 0..<2 { parts.lifecycle.changed([run]) }
        #expect(parts.events == ["agent_started"])
        for _ in 0..<2 { parts.lifecycle.changed([]) }
        #expect(parts.events == ["agent_started", "agent_ended"])
        run.giveUp()
    }

    @Test @LoopActor func theStartOfAnInheritedAgentIsNotLoggedAgain() throws {
        let (bridge, parts) = (try BridgeParts(), Parts())
        let run = try bridge.launch()
        parts.lifecycle.adopt([run])
        parts.lifecycle.changed([run])
        #expect(parts.events.isEmpty)
        parts.lifecycle.changed([])
        #expect(parts.events == ["agent_ended"])
        run.giveUp()
    }

    @Test @LoopActor func aSessionIsLoggedWhenItIsClaimedAndWhenItIsStored() throws {
        let (bridge, parts) = (try BridgeParts(), Parts())
        let session = bridge.registry.begin(agent: "demo", id: "s", tenant: nil)
        parts.lifecycle.changed(session)
        #expect(parts.events.isEmpty)
        bridge.log.answerAll()
        for _ in 0..<2 { parts.lifecycle.changed(session) }
        #expect(parts.events == ["session_claimed"])
        session.end(.closed)
        bridge.log.answerAll()
        for _ in 0..<2 { parts.lifecycle.changed(session) }
        #expect(parts.events == ["session_claimed", "session_ended"])
    }
}
