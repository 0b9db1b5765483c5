/// What a session's last run and last entry tell. Nothing of it is kept in the session's row, which would have to be
/// written with every commit.
enum LastRows {
    /// To follow `FROM session s`.
    static let join = """
        LEFT JOIN run r ON r.sid = s.sid AND r.first = (SELECT max(first) FROM run WHERE sid = s.sid)
        LEFT JOIN entry e ON e.sid = s.sid AND e.n = (SELECT max(n) FROM entry WHERE sid = s.sid)
        """
    static let head = "max(s.oldest - 1, coalesce(r.first + r.count - 1, 0))"
    /// An entry has its own timeline number, and the updates from its `at` on follow it one by one.
    static let timelineHead = "coalesce(e.n + \(head) - e.at + 1, \(head))"

    /// The same last time for a statement on `session` alone.
    static let lastTs = """
        max(last_ts,
            coalesce((SELECT ts FROM run WHERE sid = session.sid ORDER BY first DESC LIMIT 1), 0),
            coalesce((SELECT ts FROM entry WHERE sid = session.sid ORDER BY n DESC LIMIT 1), 0))
        """
}
