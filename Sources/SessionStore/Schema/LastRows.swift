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

    /// The time of a session's last run or entry, for a statement that reads `session` alone.
    static let lastTs = """
        max(last_ts,
            coalesce((SELECT ts FROM run WHERE sid = session.sid ORDER BY first DESC LIMIT 1), 0),
            coalesce((SELECT ts FROM entry WHERE sid = session.sid ORDER BY n DESC LIMIT 1), 0))
        """
}
