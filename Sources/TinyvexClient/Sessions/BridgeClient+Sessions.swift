import ACP
import JSONScan
import Tinyvex
import TinyvexSync

extension BridgeClient {
    /// What the agent of a session sends, typed, each with the very line it came in.
    ///
    ///     for try await update in client.subscribeSessionUpdates(sessionId: "s1") {
    ///         if case .agentMessageChunk(let chunk) = update.update { … }
    ///     }
    ///
    /// Every update comes once, in order, over any number of connections. ``sessionEvents(sessionId:agent:journal:from:policy:)``
    /// has the same updates with their numbers, and what else happens to the stream.
    ///
    /// - Parameter start: the beginning of the session unless told otherwise; what is stored comes first, and then what is
    ///   new, without a seam.
    public func subscribeSessionUpdates(
        sessionId: ACPSessionId, from start: StreamStart = .after(0)
    ) -> SessionUpdates {
        SessionUpdates(sessionEvents(sessionId: sessionId, from: start))
    }

    /// A session's stream with all that happens to it.
    ///
    /// - Parameter agent: where several agents have a session of that id, the one that is meant.
    /// - Parameter journal: names one life of the session among several under its id.
    /// - Parameter start: where to begin. To go on where an earlier run of the program was, give the number of the last update
    ///   it applied and the journal it had then: `.after(41, journal: "9f03c2aa-17-1")`.
    /// - Parameter policy: what the bridge may leave out when this reader is slow, by its name in the protocol; nil: nothing.
    public func sessionEvents(
        sessionId: ACPSessionId, agent: String? = nil, journal: String? = nil, from start: StreamStart = .after(0),
        policy: String? = nil
    ) -> SessionEvents {
        let params = Self.sessionParams(sessionId, agent, journal)
        return SessionEvents(engine.sync.stream(.sessionUpdates, params: params, from: start, policy: policy))
    }

    /// A session's timeline: its updates, and between them what ACP tells an editor alone, such as prompts, permissions and
    /// the ends of turns.
    ///
    /// - Parameter type: what to read each entry as; ``RawJSON`` keeps it as it is.
    public func subscribeTimeline<Entry: Decodable>(
        sessionId: ACPSessionId, agent: String? = nil, journal: String? = nil, from start: StreamStart = .after(0),
        as type: Entry.Type = TimelineEntry.self
    ) -> ValueSubscription<Entry> {
        let params = Self.sessionParams(sessionId, agent, journal)
        return ValueSubscription(.lines(engine.sync.stream(.timeline, params: params, from: start)))
    }

    /// Canonical: members sorted.
    private static func sessionParams(_ sessionId: ACPSessionId, _ agent: String?, _ journal: String?) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("agent", ifPresent: agent)
            writer.member("journal", ifPresent: journal)
            writer.member("sessionId", sessionId.rawValue)
        }
    }
}
