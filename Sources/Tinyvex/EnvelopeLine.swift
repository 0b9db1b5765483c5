import JSONScan

/// An entry of a timeline as a line of text. `acpbridge attach --envelope` and an export consist of these lines.
public enum EnvelopeLine {
    /// The session of a line.
    public struct Source: Sendable {
        private let session: String
        private let agent: String
        private let journal: String?
        private let bridge: String?

        /// - Parameters:
        ///   - session: The agent's id of the session.
        ///   - journal: Differs from that of each other session. Nil if the session is not stored yet.
        ///   - bridge: The bridge that has the session; nil for the bridge that answers.
        public init(session: String, agent: String, journal: String? = nil, bridge: String? = nil) {
            (self.session, self.agent, self.journal, self.bridge) = (session, agent, journal, bridge)
        }

        fileprivate func write(to writer: inout JSONWriter) {
            writer.member("session", session)
            writer.member("agent", agent)
            writer.member("journal", ifPresent: journal)
            writer.member("bridge", ifPresent: bridge)
        }
    }

    /// `{"seq":12,"ts":"2026-11-21T04:00:00.123Z","kind":"update","notification":{…unchanged…}}`. An entry that is
    /// not an update has `data` instead of `notification`.
    ///
    /// - Parameters:
    ///   - ts: Milliseconds since 1970.
    ///   - source: Names the session in the members `session`, `agent`, `journal` and `bridge`, among lines of several sessions.
    public static func entry(
        seq: Int64, ts: Int64, kind: String, content: some Collection<UInt8>, of source: Source? = nil
    ) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("seq", seq)
            writer.member("ts", Timestamp.milliseconds(ts))
            source?.write(to: &writer)
            writer.member("kind", kind)
            writer.member(kind == TimelineEntryKind.update.rawValue ? "notification" : "data", raw: content)
        }
    }

    /// `{"kind":"skipped","fromSeq":13,"toSeq":511,"reason":"latest"}`: updates that are not part of the output.
    ///
    /// - Parameter source: As in ``entry(seq:ts:kind:content:of:)``.
    public static func skipped(fromSeq: Int64, toSeq: Int64, reason: String, of source: Source? = nil) -> [UInt8] {
        JSONWriter.object { writer in
            source?.write(to: &writer)
            writer.member("kind", "skipped")
            writer.member("fromSeq", fromSeq)
            writer.member("toSeq", toSeq)
            writer.member("reason", reason)
        }
    }
}
