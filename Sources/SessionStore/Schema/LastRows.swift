import SessionRecords

/// SQL for the values that follow from a session's last run and last entry. None of them is stored in the session's
/// row, because every commit would then have to write that row.
enum LastRows {
    /// Append this to `FROM session s`.
    static let join = """
        LEFT JOIN run r ON r.sid = s.sid AND r.first = (SELECT max(first) FROM run WHERE sid = s.sid)
        LEFT JOIN entry e ON e.sid = s.sid AND e.n = (SELECT max(n) FROM entry WHERE sid = s.sid)
        """
    static let head = "max(s.oldest - 1, coalesce(r.first + r.count - 1, 0))"
    /// An entry has its own timeline number. The updates from its `at` onwards take the next numbers, one each.
    static let timelineHead = "coalesce(e.n + \(head) - e.at + 1, \(head))"

    /// The time of a session's last activity (``LogItem/isActivity``), for a statement that reads `session` alone.
    static let lastTs = """
        max(last_ts,
            coalesce((SELECT ts FROM run WHERE sid = session.sid ORDER BY first DESC LIMIT 1), 0),
            coalesce(\(activeEntryTs(of: "session.sid")), 0))
        """
    /// The same for a statement with ``join``.
    static let joinedLastTs = """
        max(s.last_ts, coalesce(r.ts, 0),
            coalesce(CASE e.kind WHEN '\(LogItem.exitKind)' THEN \(activeEntryTs(of: "s.sid")) ELSE e.ts END, 0))
        """

    /// ``SessionRecord/usedTs``, for a statement that names the session `s`.
    static let usedTs = """
        coalesce((SELECT ts FROM entry
            WHERE sid = s.sid AND kind IN (\(LogItem.useKinds.map { "'\($0)'" }.joined(separator: ", ")))
            ORDER BY n DESC LIMIT 1), s.created)
        """

    private static func activeEntryTs(of sid: String) -> String {
        "(SELECT ts FROM entry WHERE sid = \(sid) AND kind <> '\(LogItem.exitKind)' ORDER BY n DESC LIMIT 1)"
    }
}
