import JSONScan

/// An entry of a timeline as a line of text. `acpbridge attach --envelope` and an export consist of these lines.
public enum EnvelopeLine {
    /// The session of a line.
    public struct Source: Sendable {
        private let session: String
        private let agent: String

        /// - Parameter session: The agent's id of the session.
        public init(session: String, agent: String) { (self.session, self.agent) = (session, agent) }

        fileprivate func write(to writer: inout JSONWriter) {
            writer.member("session", session)
            writer.member("agent", agent)
        }
    }

    /// `{"seq":12,"ts":"2026-11-21T04:00:00.123Z","kind":"update","notification":{…unchanged…}}`. An entry that is
    /// not an update has `data` instead of `notification`.
    ///
    /// - Parameters:
    ///   - ts: Milliseconds since 1970.
    ///   - source: Names the session in the members `session` and `agent`, among lines of several sessions.
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
