import JSONScan

/// An entry of a timeline as a line of text. `acpbridge attach --envelope` and an export consist of these lines.
public enum EnvelopeLine {
    /// `{"seq":12,"ts":"2026-11-21T04:00:00.123Z","kind":"update","notification":{…unchanged…}}`. An entry that is
    /// not an update has `data` instead of `notification`.
    ///
    /// - Parameter ts: Milliseconds since 1970.
    public static func entry(
        seq: Int64, ts: Int64, kind: String, content: some Collection<UInt8>
    ) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("seq", seq)
            writer.member("ts", Timestamp.milliseconds(ts))
            writer.member("kind", kind)
            writer.member(kind == TimelineEntryKind.update.rawValue ? "notification" : "data", raw: content)
        }
    }

    /// `{"kind":"skipped","fromSeq":13,"toSeq":511,"reason":"latest"}`: updates that are not part of the output.
    public static func skipped(fromSeq: Int64, toSeq: Int64, reason: String) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("kind", "skipped")
            writer.member("fromSeq", fromSeq)
            writer.member("toSeq", toSeq)
            writer.member("reason", reason)
        }
    }
}
