import SQLite

/// The writer's statements. They are prepared once, because preparing a statement again costs more than an append.
struct WriteStatements {
    let begin: Statement
    let commit: Statement
    let newestIncarnation: Statement
    let insertSession: Statement
    let claim: Statement
    let claimed: Statement
    let insertEpoch: Statement
    let insertRun: Statement
    let insertEntry: Statement
    let describe: Statement
    let setTitle: Statement
    let setTags: Statement
    let setArchived: Statement
    let markGone: Statement
    let isThere: Statement
    let settle: Statement
    let unsettle: Statement

    init(_ connection: borrowing Connection) throws(SQLiteError) {
        begin = try connection.prepare("BEGIN IMMEDIATE")
        commit = try connection.prepare("COMMIT")
        newestIncarnation = try connection.prepare(
            "SELECT max(sid) FROM session WHERE session_id = ?1 AND agent = ?2 AND tenant IS ?3 AND gone = 0")
        insertSession = try connection.prepare(
            "INSERT INTO session(session_id, agent, created, last_ts, tenant) VALUES(?1, ?2, ?3, ?3, ?4)")
        claim = try connection.prepare(
            """
            UPDATE session SET epoch = epoch + 1, live = 1, settled = 0, archived = 0,
                title = nullif(coalesce(?2, title), ''), cwd = coalesce(?3, cwd), prompt = coalesce(prompt, ?6),
                parent = coalesce(parent, ?7), usage = coalesce(?8, usage), exit = ?4,
                last_ts = max(last_ts, ?5)
            WHERE sid = ?1 AND gone = 0
            """)
        claimed = try connection.prepare(
            """
            SELECT s.epoch, s.oldest, \(LastRows.head), \(LastRows.timelineHead), \(RecordSQL.usage)
            FROM session s \(LastRows.join) WHERE s.sid = ?1 AND s.gone = 0
            """)
        insertEpoch = try connection.prepare("INSERT INTO epoch(sid, epoch, first) VALUES(?1, ?2, ?3)")
        insertRun = try connection.prepare(
            "INSERT INTO run(sid, first, count, ts, sum, lines) VALUES(?1, ?2, ?3, ?4, ?5, ?6)")
        insertEntry = try connection.prepare(
            "INSERT INTO entry(sid, n, at, ts, kind, sum, body) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)")
        describe = try connection.prepare(
            """
            UPDATE session SET title = nullif(coalesce(?2, title), ''), cwd = coalesce(?3, cwd),
                live = coalesce(?4, live), exit = coalesce(?5, exit),
                last_ts = max(last_ts, coalesce(?6, last_ts)), prompt = coalesce(prompt, ?7),
                parent = coalesce(parent, ?8), usage = coalesce(?9, usage)
            WHERE sid = ?1 AND gone = 0
            """)
        setTitle = try connection.prepare("UPDATE session SET own_title = ?2 WHERE sid = ?1 AND gone = 0")
        setTags = try connection.prepare("UPDATE session SET tags = ?2 WHERE sid = ?1 AND gone = 0")
        setArchived = try connection.prepare("UPDATE session SET archived = ?2 WHERE sid = ?1 AND gone = 0")
        markGone = try connection.prepare("UPDATE session SET gone = 1 WHERE sid = ?1 AND gone = 0 AND live = 0")
        isThere = try connection.prepare("SELECT 1 FROM session WHERE sid = ?1 AND gone = 0")
        settle = try connection.prepare("UPDATE session SET settled = 1, last_ts = \(LastRows.lastTs) WHERE sid = ?1")
        unsettle = try connection.prepare("UPDATE session SET settled = 0 WHERE sid = ?1")
    }
}
