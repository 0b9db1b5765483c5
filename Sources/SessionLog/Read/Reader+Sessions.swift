extension Reader {
    func sessions(liveOnly: Bool, limit: Int) throws(LogError) -> [SessionRecord] {
        let limit = Statement.Value.integer(Int64(limit))
        return liveOnly
            ? try statements.recentLive.all(limit, read: record)
            : try statements.recent.all(limit, read: record)
    }

    func find(sessionId: String, agent: String?) throws(LogError) -> [SessionRecord] {
        try statements.named.all(.text(sessionId), .optional(agent), read: record)
    }

    func life(_ sid: Int64) throws(LogError) -> [SessionRecord] {
        try statements.life.all(.integer(sid), read: record)
    }

    private func record(_ row: Statement) -> SessionRecord {
        let sid = row.integer(0)
        return SessionRecord(
            sid: sid,
            agent: row.text(1) ?? "",
            sessionId: row.text(2) ?? "",
            title: row.text(3),
            cwd: row.text(4),
            journal: Journal(logId: logId, sid: sid, epoch: row.integer(5)),
            createdTs: row.integer(6),
            lastTs: row.integer(7),
            oldest: row.integer(8),
            head: row.integer(9),
            timelineHead: row.integer(10),
            state: row.integer(11) == 1 ? .live : .ended,
            exit: row.text(12))
    }
}
