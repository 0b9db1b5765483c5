/// The reader's statements, prepared once.
struct ReadStatements {
    let begin: Statement
    let end: Statement
    let oldest: Statement
    let runsFrom: Statement
    let runsDownFrom: Statement
    let runTimeAt: Statement
    let entriesFrom: Statement
    let entryUpTo: Statement
    let firstEntryAt: Statement
    let lastEntryBeforeUpdate: Statement
    let recent: Statement
    let recentLive: Statement
    let named: Statement
    let life: Statement
    let knowsEpoch: Statement
    let nextEpochFirst: Statement

    init(_ connection: borrowing Connection) throws(LogError) {
        begin = try connection.prepare("BEGIN")
        end = try connection.prepare("COMMIT")
        oldest = try connection.prepare("SELECT oldest FROM session WHERE sid = ?1")
        runsFrom = try connection.prepare(
            """
            SELECT first, count, ts, lines FROM run
            WHERE sid = ?1 AND first >= coalesce((SELECT max(first) FROM run WHERE sid = ?1 AND first <= ?2), 0)
            ORDER BY first
            """)
        runsDownFrom = try connection.prepare(
            "SELECT first, count, ts, lines FROM run WHERE sid = ?1 AND first <= ?2 ORDER BY first DESC")
        runTimeAt = try connection.prepare(
            "SELECT first, count, ts FROM run WHERE sid = ?1 AND first <= ?2 ORDER BY first DESC LIMIT 1")
        entriesFrom = try connection.prepare(
            "SELECT n, at, ts, kind, body FROM entry WHERE sid = ?1 AND n >= ?2 ORDER BY n")
        entryUpTo = try connection.prepare(
            "SELECT n, at FROM entry WHERE sid = ?1 AND n <= ?2 ORDER BY n DESC LIMIT 1")
        firstEntryAt = try connection.prepare("SELECT min(n) FROM entry WHERE sid = ?1 AND at = ?2")
        lastEntryBeforeUpdate = try connection.prepare(
            "SELECT n, at FROM entry WHERE sid = ?1 AND at <= ?2 ORDER BY at DESC, n DESC LIMIT 1")
        recent = try connection.prepare(RecordSQL.recent)
        recentLive = try connection.prepare(RecordSQL.recentLive)
        named = try connection.prepare(RecordSQL.named)
        life = try connection.prepare(RecordSQL.life)
        knowsEpoch = try connection.prepare("SELECT 1 FROM epoch WHERE sid = ?1 AND epoch = ?2")
        nextEpochFirst = try connection.prepare("SELECT min(first) FROM epoch WHERE sid = ?1 AND epoch > ?2")
    }
}

/// What makes a ``SessionRecord``.
private enum RecordSQL {
    private static let select = """
        SELECT s.sid, s.agent, s.session_id, s.title, s.cwd, s.epoch, s.created,
            max(s.last_ts, coalesce(r.ts, 0), coalesce(e.ts, 0)) AS last,
            s.oldest, \(LastRows.head), \(LastRows.timelineHead), s.live, s.exit
        FROM session s \(LastRows.join)
        """

    /// Of settled lives, which are most, only the newest are looked at, by index; of the others each.
    static let recent = """
        \(select) WHERE s.sid IN (
            SELECT sid FROM session WHERE settled = 0
            UNION ALL SELECT sid FROM (SELECT sid FROM session WHERE settled = 1 ORDER BY last_ts DESC LIMIT ?1))
        ORDER BY last DESC, s.sid DESC LIMIT ?1
        """
    static let recentLive = """
        \(select) WHERE s.settled = 0 AND s.live = 1 ORDER BY last DESC, s.sid DESC LIMIT ?1
        """
    static let named = """
        \(select) WHERE s.sid IN (
            SELECT max(sid) FROM session WHERE session_id = ?1 AND (?2 IS NULL OR agent = ?2) GROUP BY agent)
        ORDER BY last DESC, s.sid DESC
        """
    static let life = "\(select) WHERE s.sid = ?1"
}
