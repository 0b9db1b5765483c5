import FieldLimits
import SQLite
import SessionRecords

extension Reader {
    func sessions(
        liveOnly: Bool, limit: Int, tenant: String?, after position: ListingPosition?
    ) throws(SQLiteError) -> SessionListing {
        let statement = liveOnly ? statements.recentLive : statements.recent
        // One record more than the limit shows whether there are others.
        return try page(
            statement, [.integer(Int64(limit + 1)), .optional(tenant)] + Self.values(position), limit: limit)
    }

    func incarnations(
        _ sessionId: String, agent: String?, limit: Int, tenant: String?, after position: ListingPosition?
    ) throws(SQLiteError) -> SessionListing {
        let values: [Statement.Value] = [.integer(Int64(limit + 1)), .optional(tenant)]
        let name: [Statement.Value] = [.text(sessionId), .optional(agent)]
        return try page(statements.incarnations, values + Self.values(position) + name, limit: limit)
    }

    func find(sessionId: String, agent: String?, tenant: String?) throws(SQLiteError) -> [SessionRecord] {
        try statements.named.all(.text(sessionId), .optional(agent), .optional(tenant), read: record)
    }

    func incarnation(_ sid: Int64) throws(SQLiteError) -> [SessionRecord] {
        try statements.incarnation.all(.integer(sid), read: record)
    }

    func list(
        _ filter: SessionFilter, offset: Int, limit: Int, after position: ListingPosition?
    ) throws(SQLiteError) -> SessionListing {
        let wanted: [Statement.Value] = [
            .optional(filter.agent), .optional(filter.isLive), .optional(filter.isArchived),
            .optional(filter.words.isEmpty ? nil : SearchWords.bound(filter.words)), .optional(filter.tenant),
            .optional(filter.hiddenIds.isEmpty ? nil : "\n" + filter.hiddenIds.joined(separator: "\n") + "\n"),
            .optional(filter.hasChildren ? nil : false),
        ]
        let place: [Statement.Value] = [.integer(Int64(limit + 1)), .integer(Int64(offset))]
        var listing = try page(statements.listed, wanted + place + Self.values(position), limit: limit)
        listing.total = try statements.listedCount.all(wanted) { Int($0.integer(0)) }.first ?? 0
        return listing
    }

    static func bounded(_ limit: Int) -> Int { max(0, min(limit, ReadLimit.sessions)) }

    private static func values(_ position: ListingPosition?) -> [Statement.Value] {
        [.optional(position?.lastTs), .optional(position?.sid)]
    }

    /// Returns as many records as fit. It returns at least one if any exist and the limit is not 0.
    private func page(
        _ statement: Statement, _ values: [Statement.Value], limit: Int
    ) throws(SQLiteError) -> SessionListing {
        defer { statement.reset() }
        try statement.bind(values)
        var listing = SessionListing(records: [])
        var room = ReadLimit.listBytes
        while try statement.step() {
            let record = record(statement)
            room -= record.costBytes
            guard listing.records.count < limit, listing.records.isEmpty || room >= 0 else {
                listing.hasMore = true
                break
            }
            listing.records.append(record)
        }
        return listing
    }

    private func record(_ row: Statement) -> SessionRecord {
        let sid = row.integer(0)
        var record = SessionRecord(
            sid: sid,
            agent: row.text(1)?.prefix(scalars: FieldLimit.agentCharacters) ?? "",
            sessionId: row.text(2) ?? "",
            title: row.text(3)?.prefix(scalars: FieldLimit.titleCharacters),
            cwd: row.text(4),
            firstPrompt: row.text(13)?.prefix(scalars: FieldLimit.promptCharacters),
            tenant: row.text(17),
            parentId: row.text(18),
            usage: row.text(19),
            label: SessionLabel(
                title: row.text(14)?.prefix(scalars: FieldLimit.titleCharacters),
                tags: row.text(15)?.split(separator: "\n").map(String.init) ?? [], isArchived: row.integer(16) == 1),
            journal: Journal(logId: logId, sid: sid, epoch: row.integer(5)),
            createdTs: row.integer(6),
            lastTs: row.integer(7),
            oldest: UpdateNumber.clamped(row.integer(8)),
            head: UpdateNumber.clamped(row.integer(9)),
            timelineHead: UpdateNumber.clamped(row.integer(10)),
            state: row.integer(11) == 1 ? .live : .ended,
            exit: row.text(12))
        record.usedTs = row.integer(20)
        return record
    }
}

extension SessionRecord {
    /// The bytes of the record's texts, with an allowance for the rest.
    fileprivate var costBytes: Int {
        let texts = [agent, sessionId, title, cwd, firstPrompt, tenant, parentId, usage, label.title].compactMap {
            $0?.utf8.count
        }
        return texts.reduce(256, +) + label.tags.reduce(0) { $0 + $1.utf8.count + 1 }
    }
}
