import SQLite

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
    let incarnations: Statement
    let named: Statement
    let incarnation: Statement
    let listed: Statement
    let listedCount: Statement
    let knowsEpoch: Statement
    let nextEpochFirst: Statement
    let sizes: Statement
    let claims: Statement

    init(_ connection: borrowing Connection) throws(SQLiteError) {
        begin = try connection.prepare("BEGIN")
        end = try connection.prepare("COMMIT")
        oldest = try connection.prepare("SELECT oldest FROM session WHERE sid = ?1 AND gone = 0")
        runsFrom = try connection.prepare(
            """
            SELECT first, count, ts, lines, sum FROM run
            WHERE sid = ?1 AND first >= coalesce((SELECT max(first) FROM run WHERE sid = ?1 AND first <= ?2), 0)
            ORDER BY first
            """)
        runsDownFrom = try connection.prepare(
            "SELECT first, count, ts, lines, sum FROM run WHERE sid = ?1 AND first <= ?2 ORDER BY first DESC")
        runTimeAt = try connection.prepare(
            "SELECT first, count, ts FROM run WHERE sid = ?1 AND first <= ?2 ORDER BY first DESC LIMIT 1")
        entriesFrom = try connection.prepare(
            "SELECT n, at, ts, kind, body, sum FROM entry WHERE sid = ?1 AND n >= ?2 ORDER BY n")
        entryUpTo = try connection.prepare(
            "SELECT n, at FROM entry WHERE sid = ?1 AND n <= ?2 ORDER BY n DESC LIMIT 1")
        firstEntryAt = try connection.prepare("SELECT min(n) FROM entry WHERE sid = ?1 AND at = ?2")
        lastEntryBeforeUpdate = try connection.prepare(
            "SELECT n, at FROM entry WHERE sid = ?1 AND at <= ?2 ORDER BY at DESC, n DESC LIMIT 1")
        recent = try connection.prepare(RecordSQL.recent)
        recentLive = try connection.prepare(RecordSQL.recentLive)
        incarnations = try connection.prepare(RecordSQL.incarnations)
        named = try connection.prepare(RecordSQL.named)
        incarnation = try connection.prepare(RecordSQL.incarnation)
        listed = try connection.prepare(RecordSQL.listed)
        listedCount = try connection.prepare(RecordSQL.listedCount)
        knowsEpoch = try connection.prepare("SELECT 1 FROM epoch WHERE sid = ?1 AND epoch = ?2")
        sizes = try connection.prepare(
            """
            SELECT first + count - 1 AS last, length(lines) FROM run WHERE sid = ?1
            UNION ALL SELECT at - 1, length(body) FROM entry WHERE sid = ?1 ORDER BY last
            """)
        claims = try connection.prepare("SELECT epoch, first FROM epoch WHERE sid = ?1 ORDER BY epoch")
        nextEpochFirst = try connection.prepare("SELECT min(first) FROM epoch WHERE sid = ?1 AND epoch > ?2")
    }
}
