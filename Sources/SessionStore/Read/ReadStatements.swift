import SQLite

/// The reader's statements. Each is prepared once, when it is used first: most bridges never use some of them.
struct ReadStatements {
    let begin: Statement
    let end: Statement
    let oldest: Statement
    let runsFrom: Statement
    let runsDownFrom: Statement
    let runTimesAt: Statement
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
    let deletions: Statement
    let usageSums: Statement
    let usageCosts: Statement

    init(_ connection: borrowing Connection) {
        begin = connection.statement("BEGIN")
        end = connection.statement("COMMIT")
        oldest = connection.statement("SELECT oldest FROM session WHERE sid = ?1 AND gone = 0")
        runsFrom = connection.statement(
            """
            SELECT \(StoredRun.columns) FROM run
            WHERE sid = ?1 AND first >= coalesce((SELECT max(first) FROM run WHERE sid = ?1 AND first <= ?2), 0)
            ORDER BY first
            """)
        runsDownFrom = connection.statement(
            "SELECT \(StoredRun.columns) FROM run WHERE sid = ?1 AND first <= ?2 ORDER BY first DESC")
        runTimesAt = connection.statement(
            "SELECT \(RunTimes.columns) FROM run WHERE sid = ?1 AND first <= ?2 ORDER BY first DESC LIMIT 1")
        entriesFrom = connection.statement(
            "SELECT n, at, ts, kind, body, sum FROM entry WHERE sid = ?1 AND n >= ?2 ORDER BY n")
        entryUpTo = connection.statement(
            "SELECT n, at FROM entry WHERE sid = ?1 AND n <= ?2 ORDER BY n DESC LIMIT 1")
        firstEntryAt = connection.statement("SELECT min(n) FROM entry WHERE sid = ?1 AND at = ?2")
        lastEntryBeforeUpdate = connection.statement(
            "SELECT n, at FROM entry WHERE sid = ?1 AND at <= ?2 ORDER BY at DESC, n DESC LIMIT 1")
        recent = connection.statement(RecordSQL.recent)
        recentLive = connection.statement(RecordSQL.recentLive)
        incarnations = connection.statement(RecordSQL.incarnations)
        named = connection.statement(RecordSQL.named)
        incarnation = connection.statement(RecordSQL.incarnation)
        listed = connection.statement(RecordSQL.listed)
        listedCount = connection.statement(RecordSQL.listedCount)
        knowsEpoch = connection.statement("SELECT 1 FROM epoch WHERE sid = ?1 AND epoch = ?2")
        sizes = connection.statement(
            """
            SELECT first + count - 1 AS last, \(StoredPlaces.size) FROM run WHERE sid = ?1
            UNION ALL SELECT at - 1, length(body) FROM entry WHERE sid = ?1 ORDER BY last
            """)
        deletions = connection.statement("SELECT sid FROM deleted ORDER BY sid LIMIT ?1")
        usageSums = connection.statement(SpentSQL.sums)
        usageCosts = connection.statement(SpentSQL.costs)
        claims = connection.statement("SELECT epoch, first FROM epoch WHERE sid = ?1 ORDER BY epoch")
        nextEpochFirst = connection.statement("SELECT min(first) FROM epoch WHERE sid = ?1 AND epoch > ?2")
    }
}
