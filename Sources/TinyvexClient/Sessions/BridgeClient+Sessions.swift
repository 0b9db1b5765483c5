import ACP
import JSONScan
import Tinyvex
import TinyvexMachine
import TinyvexSync

extension BridgeClient {
    /// The updates that the agent of a session sends, decoded, each with its original line.
    ///
    ///     for try await update in client.subscribeSessionUpdates(sessionId: "s1") {
    ///         if case .agentMessageChunk(let chunk) = update.update { … }
    ///     }
    ///
    /// Each update arrives exactly once and in order, across any number of connections.
    /// ``sessionEvents(sessionId:agent:journal:from:policy:)->SessionEvents`` also has the sequence numbers of the updates, and
    /// the other events of the stream.
    ///
    /// - Parameters:
    ///   - sessionId: The session, as ``SessionRow/sessionId`` has it.
    ///   - agent: The agent of the session; needed if several agents have a session with this id.
    ///   - start: Where to begin; the beginning of the session by default. The stored updates arrive first,
    ///     followed by the new ones without a gap.
    ///   - policy: The updates that the bridge can drop when this reader is slow, with its limits. Nil: none.
    /// - Returns: A sequence, which throws the errors: `.server` if there is no such session or several match, `.unauthorized`,
    ///   `.decoding` for a line that does not fit, `.transport` if the connection is given up, and `.closed`.
    public func subscribeSessionUpdates(
        sessionId: ACPSessionId, agent: String? = nil, from start: StreamStart = .after(0), policy: StreamPolicy? = nil
    ) -> SessionUpdates {
        SessionUpdates(sessionEvents(sessionId: sessionId, agent: agent, from: start, policy: policy))
    }

    /// All events of a session's stream. The errors are those of ``SessionUpdates``, except `.decoding`.
    ///
    /// - Parameter sessionId: The session, as ``SessionRow/sessionId`` has it.
    /// - Parameter agent: The agent of the session; needed if several agents have a session with this id.
    /// - Parameter journal: A resume token that identifies one incarnation of the session, in case its id was
    ///   reused.
    /// - Parameter start: Where to begin. To resume after an earlier run of the program, pass the sequence number of the
    ///   last update that it applied and the journal it had at that time:
    ///   `.after(41, journal: "9f03c2aa-17-1")`.
    /// - Parameter policy: The updates that the bridge can drop if this reader is slow. Nil: the bridge drops nothing.
    public func sessionEvents(
        sessionId: ACPSessionId, agent: String? = nil, journal: String? = nil, from start: StreamStart = .after(0),
        policy: StreamPolicy? = nil
    ) -> SessionEvents {
        let params = Self.sessionParams(sessionId, agent, journal)
        return SessionEvents(engine.sync.stream(.sessionUpdates, params: params, from: start, policy: policy))
    }

    /// A session's timeline: its updates, and between them the events that ACP reports only to the editor, such as
    /// prompts, permissions and the ends of turns.
    ///
    /// ``timelineEvents(sessionId:agent:journal:from:policy:)`` also has the numbers of the entries, from which a later run of
    /// the program can continue.
    ///
    /// - Parameters:
    ///   - sessionId: The session, as ``SessionRow/sessionId`` has it.
    ///   - agent: The agent of the session; needed if several agents have a session with this id.
    ///   - journal: A resume token that identifies one incarnation of the session, in case its id was reused.
    ///   - start: Where to begin; the beginning of the session by default. The number is that of an entry.
    ///   - policy: The updates that the bridge can drop when this reader is slow, with its limits. Nil: none.
    ///   - type: The type to decode each entry as; ``RawJSON`` keeps it unchanged.
    public func subscribeTimeline<Entry: Decodable>(
        sessionId: ACPSessionId, agent: String? = nil, journal: String? = nil, from start: StreamStart = .after(0),
        policy: StreamPolicy? = nil, as type: Entry.Type = TimelineEntry.self
    ) -> ValueSubscription<Entry> {
        let params = Self.sessionParams(sessionId, agent, journal)
        return ValueSubscription(.lines(engine.sync.stream(.timeline, params: params, from: start, policy: policy)))
    }

    /// All events of a session's timeline.
    ///
    /// - Parameter sessionId: The session, as ``SessionRow/sessionId`` has it.
    /// - Parameter agent: The agent of the session; needed if several agents have a session with this id.
    /// - Parameter journal: A resume token that identifies one incarnation of the session, in case its id was reused.
    /// - Parameter start: Where to begin. To resume after an earlier run of the program, pass the number of the last entry that
    ///   it applied and the journal it had at that time: `.after(41, journal: "9f03c2aa-17-1")`.
    /// - Parameter policy: The updates that the bridge can drop if this reader is slow. Nil: the bridge drops nothing.
    public func timelineEvents(
        sessionId: ACPSessionId, agent: String? = nil, journal: String? = nil, from start: StreamStart = .after(0),
        policy: StreamPolicy? = nil
    ) -> TimelineEvents {
        let params = Self.sessionParams(sessionId, agent, journal)
        return TimelineEvents(engine.sync.stream(.timeline, params: params, from: start, policy: policy))
    }

    /// Encodes the params in canonical form: members are sorted.
    static func sessionParams(_ sessionId: ACPSessionId, _ agent: String?, _ journal: String?) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("agent", ifPresent: agent)
            writer.member("journal", ifPresent: journal)
            writer.member("sessionId", sessionId.rawValue)
        }
    }
}
