import SQLite

/// The writer's statements. Each is prepared once, when it is used first: preparing one costs more than an append.
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
    let noteDeletion: Statement
    let forgetDeletion: Statement
    let settle: Statement
    let unsettle: Statement

    init(_ connection: borrowing Connection) {
        begin = connection.statement("BEGIN IMMEDIATE")
        commit = connection.statement("COMMIT")
        newestIncarnation = connection.statement(
            "SELECT max(sid) FROM session WHERE session_id = ?1 AND agent = ?2 AND tenant IS ?3 AND gone = 0")
        insertSession = connection.statement(
            "INSERT INTO session(session_id, agent, created, last_ts, tenant) VALUES(?1, ?2, ?3, ?3, ?4)")
        claim = connection.statement(
            """
            UPDATE session SET epoch = epoch + 1, live = 1, settled = 0, archived = 0,
                title = nullif(coalesce(?2, title), ''), cwd = coalesce(?3, cwd), prompt = coalesce(prompt, ?6),
                parent = coalesce(parent, ?7), usage = coalesce(?8, usage), exit = ?4,
                last_ts = max(last_ts, ?5)
            WHERE sid = ?1 AND gone = 0
            """)
        claimed = connection.statement(
            """
            SELECT s.epoch, s.oldest, \(LastRows.head), \(LastRows.timelineHead), \(RecordSQL.usage)
            FROM session s \(LastRows.join) WHERE s.sid = ?1 AND s.gone = 0
            """)
        insertEpoch = connection.statement("INSERT INTO epoch(sid, epoch, first) VALUES(?1, ?2, ?3)")
        insertRun = connection.statement(
            """
            INSERT INTO run(sid, first, count, ts, earlier, sum, place, size, lines)
            VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            """)
        insertEntry = connection.statement(
            "INSERT INTO entry(sid, n, at, ts, kind, sum, body) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)")
        describe = connection.statement(
            """
            UPDATE session SET title = nullif(coalesce(?2, title), ''), cwd = coalesce(?3, cwd),
                live = coalesce(?4, live), exit = coalesce(?5, exit),
                last_ts = max(last_ts, coalesce(?6, last_ts)), prompt = coalesce(prompt, ?7),
                parent = coalesce(parent, ?8), usage = coalesce(?9, usage)
            WHERE sid = ?1 AND gone = 0
            """)
        setTitle = connection.statement("UPDATE session SET own_title = ?2 WHERE sid = ?1 AND gone = 0")
        setTags = connection.statement("UPDATE session SET tags = ?2 WHERE sid = ?1 AND gone = 0")
        setArchived = connection.statement("UPDATE session SET archived = ?2 WHERE sid = ?1 AND gone = 0")
        markGone = connection.statement("UPDATE session SET gone = 1 WHERE sid = ?1 AND gone = 0 AND live = 0")
        noteDeletion = connection.statement("INSERT OR IGNORE INTO deleted(sid) VALUES(?1)")
        forgetDeletion = connection.statement("DELETE FROM deleted WHERE sid = ?1")
        isThere = connection.statement("SELECT 1 FROM session WHERE sid = ?1 AND gone = 0")
        settle = connection.statement("UPDATE session SET settled = 1, last_ts = \(LastRows.lastTs) WHERE sid = ?1")
        unsettle = connection.statement("UPDATE session SET settled = 0 WHERE sid = ?1")
    }
}
