extension Reader {
    func sessions(liveOnly: Bool, limit: Int, tenant: String?) throws(LogError) -> [SessionRecord] {
        let statement = liveOnly ? statements.recentLive : statements.recent
        return try statement.all(.integer(Int64(limit)), .optional(tenant), read: record)
    }

    func find(sessionId: String, agent: String?, tenant: String?) throws(LogError) -> [SessionRecord] {
        try statements.named.all(.text(sessionId), .optional(agent), .optional(tenant), read: record)
    }

    func life(_ sid: Int64) throws(LogError) -> [SessionRecord] {
        try statements.life.all(.integer(sid), read: record)
    }

    func list(_ filter: SessionFilter, offset: Int, limit: Int) throws(LogError) -> SessionListing {
        let wanted: [Statement.Value] = [
            .optional(filter.agent), .optional(filter.isLive), .optional(filter.isArchived),
            .optional(filter.words.isEmpty ? nil : SearchWords.bound(filter.words)),
        ]
        let tenant: [Statement.Value] = [.optional(filter.tenant)]
        let place: [Statement.Value] = [.integer(Int64(limit)), .integer(Int64(offset))]
        let records = try statements.listed.all(wanted + tenant + place, read: record)
        let total = try statements.listedCount.all(wanted + tenant) { Int($0.integer(0)) }
        return SessionListing(records: records, total: total.first ?? 0)
    }

    private func record(_ row: Statement) -> SessionRecord {
        let sid = row.integer(0)
        return SessionRecord(
            sid: sid,
            agent: row.text(1) ?? "",
            sessionId: row.text(2) ?? "",
            title: row.text(3),
            cwd: row.text(4),
            firstPrompt: row.text(13),
            tenant: row.text(17),
            label: SessionLabel(
                title: row.text(14), tags: row.text(15)?.split(separator: "\n").map(String.init) ?? [],
                isArchived: row.integer(16) == 1),
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
