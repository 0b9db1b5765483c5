import FieldLimits
import Postgres
import SessionRecords

/// The sessions of other bridges at the hub.
extension HubDatabase {
    /// The sessions that a reader follows, as it knows them.
    package struct Followed: Sendable {
        package let place: HubSid
        /// The epoch of the reader's journal.
        package let epoch: Int64
        /// The last update that its readers have; nil if new updates are not wanted with the state.
        package let last: Int64?

        package init(place: HubSid, epoch: Int64, last: Int64?) {
            self.place = place
            self.epoch = epoch
            self.last = last
        }
    }

    /// A followed session as the hub has it.
    package struct Found: Sendable {
        package let record: SessionRecord
        /// The first update that a later epoch has taken back or will store; nil if the epoch is the same.
        package let takenBackFrom: Int64?
        /// The updates after the last one that the readers have: all, or the first ones of many. Nil if they must be read
        /// as pages.
        package var updates: UpdatePage?
        /// ``HubSession/day``.
        let day: Int64
    }

    /// Texts are cut, because another program can have written longer ones.
    private static let columns = """
        s.log_id, s.sid, left(s.agent, \(FieldLimit.agentCharacters)), s.session_id,
        left(s.title, \(FieldLimit.titleCharacters)), left(s.own_title, \(FieldLimit.titleCharacters)),
        left(s.tags, \(FieldLimit.folderBytes)), s.archived,
        CASE WHEN octet_length(s.cwd) <= \(FieldLimit.folderBytes) THEN s.cwd END,
        left(s.prompt, \(FieldLimit.promptCharacters)),
        CASE WHEN octet_length(s.tenant) <= \(FieldLimit.tenantBytes) THEN s.tenant END,
        CASE WHEN octet_length(s.parent) <= \(FieldLimit.sessionIdBytes) THEN s.parent END,
        greatest(1, coalesce(h.epoch, s.epoch)), s.created, s.last_ts, coalesce(h.oldest, 1), coalesce(h.seq, 0), coalesce(h.n, 0),
        s.live, s.running, left(s.exit, \(FieldLimit.titleCharacters)), left(b.name, \(FieldLimit.titleCharacters)),
        CASE WHEN isfinite(b.lease_until) AND b.lease_until <= now() THEN (extract(epoch FROM b.lease_until) * 1000)::int8 END,
        CASE WHEN octet_length(s.usage) <= \(FieldLimit.usageBytes) THEN s.usage END
        """
    /// The day of a session in days from 1970; null for an infinite date, with which PostgreSQL would refuse the statement.
    static let day = "CASE WHEN isfinite(s.day) THEN s.day - DATE '1970-01-01' END"
    private static let tables = """
        acpbridge.session s JOIN acpbridge.bridge b USING (log_id) LEFT JOIN acpbridge.head h USING (log_id, sid)
        """
    private static let isListed =
        "s.sid < \(HubSid.ownLimit) AND octet_length(s.session_id) <= \(FieldLimit.sessionIdBytes)"
    /// Counting all sessions of a large hub would take seconds.
    package static let countLimit = 10_000

    // MARK: Lists

    /// Answers a query about the sessions of all logs except one. Nil for a query of another kind.
    ///
    /// A list begins with the first record, and has the records of the offset, too.
    package func answer(_ query: ReadRequest.Query, except logId: Int64) throws(HubError) -> Answer? {
        var conditions = Conditions(logId)
        switch query {
        case .sessions(let liveOnly, let limit, let tenant, let position):
            if liveOnly { conditions.add("s.live") }
            conditions.add("s.tenant", equals: tenant)
            return .listing(try listing(conditions, limit: limit, after: position))
        case .incarnations(let sessionId, let agent, let limit, let tenant, let position):
            conditions.add("s.session_id", equals: sessionId)
            conditions.add("s.agent", equals: agent)
            conditions.add("s.tenant", equals: tenant)
            return .listing(try listing(conditions, limit: limit, after: position))
        case .list(let filter, let offset, let limit, let position):
            conditions.add(filter)
            var listing = try listing(conditions, limit: max(0, offset) + limit, after: position)
            listing.total = try count(conditions)
            return .listing(listing)
        case .find(let sessionId, let agent, let tenant):
            conditions.add("s.session_id", equals: sessionId)
            conditions.add("s.agent", equals: agent)
            conditions.add("s.tenant", equals: tenant)
            return .sessions(try newest(conditions))
        default: return nil
        }
    }

    func incarnation(_ place: HubSid) throws(HubError) -> [SessionRecord] {
        try records(
            execute(
                """
                SELECT \(Self.columns) FROM \(Self.tables) WHERE s.log_id = $1 AND s.sid = $2 AND \(Self.isListed)
                """, [.integer(place.logId), .integer(place.own)]))
    }

    private func listing(
        _ conditions: Conditions, limit: Int, after position: ListingPosition?
    ) throws(HubError) -> SessionListing {
        let limit = max(0, min(limit, ReadLimit.sessions))
        var conditions = conditions
        if let position { conditions.add(after: position) }
        // One record more than the limit shows whether there are others.
        let result = try execute(
            """
            SELECT \(Self.columns) FROM \(Self.tables) WHERE \(Self.isListed) AND \(conditions.sql)
            ORDER BY s.last_ts DESC, s.log_id DESC, s.sid DESC LIMIT \(limit + 1)
            """, conditions.values)
        let found = try records(result)
        let records = Self.beginning(of: found, limit)
        return SessionListing(records: records, hasMore: records.count < found.count)
    }

    /// As many records as fit in a page, and at least one.
    private static func beginning(of found: [SessionRecord], _ limit: Int) -> [SessionRecord] {
        var room = ReadLimit.listBytes
        var count = 0
        for record in found.prefix(limit) {
            let texts = [record.title, record.cwd, record.firstPrompt, record.parentId, record.label.title]
            room -= texts.reduce(record.sessionId.utf8.count + 256) { $0 + ($1?.utf8.count ?? 0) }
            if room < 0, count > 0 { break }
            count += 1
        }
        return Array(found.prefix(count))
    }

    private func count(_ conditions: Conditions) throws(HubError) -> Int {
        let result = try execute(
            """
            SELECT count(*) FROM (SELECT FROM acpbridge.session s WHERE \(Self.isListed) AND \(conditions.sql)
                LIMIT \(Self.countLimit)) found
            """, conditions.values)
        return Int(result.integer(0, 0) ?? 0)
    }

    private func newest(_ conditions: Conditions) throws(HubError) -> [SessionRecord] {
        try records(
            execute(
                """
                SELECT DISTINCT ON (s.log_id, s.agent, s.tenant) \(Self.columns) FROM \(Self.tables)
                WHERE \(Self.isListed) AND \(conditions.sql)
                ORDER BY s.log_id, s.agent, s.tenant, s.sid DESC LIMIT \(ReadLimit.namesakes)
                """, conditions.values))
    }

    // MARK: Following

    /// The present state of followed sessions. A session that the hub no longer has is in neither list.
    package struct Current: Sendable {
        package fileprivate(set) var found: [Found] = []
        /// Sessions whose rows have numbers that do not fit. A later version can have written them.
        package fileprivate(set) var unreadable: Set<HubSid> = []
    }

    /// Returns the present state of the sessions, and their new updates.
    package func current(_ followed: [Followed]) throws(HubError) -> Current {
        var current = try states(followed)
        let updates = try newUpdates(of: current.found, after: followed)
        for index in current.found.indices {
            current.found[index].updates = HubSid(current.found[index].record.sid).flatMap { updates[$0] }
        }
        return current
    }

    private func states(_ followed: [Followed]) throws(HubError) -> Current {
        let result = try execute(
            """
            SELECT \(Self.columns), (SELECT min(c.first) FROM acpbridge.claim c
                WHERE c.log_id = s.log_id AND c.sid = s.sid AND c.epoch > f.epoch), \(Self.day)
            FROM \(Self.tables), unnest($1::int8[], $2::int8[], $3::int8[]) AS f(log_id, sid, epoch)
            WHERE f.log_id = s.log_id AND f.sid = s.sid AND \(Self.isListed)
            """,
            [
                .integers(followed.map(\.place.logId)), .integers(followed.map(\.place.own)),
                .integers(followed.map(\.epoch)),
            ])
        var current = Current()
        for row in 0..<result.rowCount {
            if let record = try record(result, row), let day = result.integer(row, 25) {
                current.found.append(Found(record: record, takenBackFrom: result.integer(row, 24), day: day))
            } else if let logId = result.integer(row, 0), let own = result.integer(row, 1),
                let place = HubSid(logId: logId, own: own)
            {
                current.unreadable.insert(place)
            }
        }
        return current
    }

    /// Notes that a viewer follows the logs, so that their bridges ship at once. It ends by itself.
    package func watch(_ logIds: [Int64], viewer: String) throws(HubError) {
        _ = try execute(
            """
            INSERT INTO acpbridge.watch (viewer, log_id, until)
            SELECT $1, log_id, now() + make_interval(secs => \(Self.watchSeconds)) FROM unnest($2::int8[]) AS t(log_id)
            ON CONFLICT (log_id, viewer) DO UPDATE SET until = excluded.until
            """, [.text(viewer), .integers(logIds)])
    }

    /// Three renewals can be late.
    package static let watchSeconds: Int64 = 15

    // MARK: Records

    private func records(_ result: PostgresResult) throws(HubError) -> [SessionRecord] {
        var records: [SessionRecord] = []
        for row in 0..<result.rowCount {
            if let record = try record(result, row) { records.append(record) }
        }
        return records
    }

    /// Nil for a session whose numbers do not fit.
    private func record(_ result: PostgresResult, _ row: Int) throws(HubError) -> SessionRecord? {
        let numbers = [0, 1, 12, 13, 14, 15, 16, 17].compactMap { result.integer(row, $0) }
        guard numbers.count == 8, let agent = result.text(row, 2), let sessionId = result.text(row, 3),
            let bridge = result.text(row, 21)
        else { throw .damaged }
        guard let place = HubSid(logId: numbers[0], own: numbers[1]),
            numbers[5...].allSatisfy(UpdateNumber.range.contains)
        else { return nil }
        let tags = result.text(row, 6).map { $0.split(separator: "\n").map(String.init) } ?? []
        var record = SessionRecord(
            sid: place.sid, agent: agent, sessionId: sessionId, title: result.text(row, 4), cwd: result.text(row, 8),
            firstPrompt: result.text(row, 9), tenant: result.text(row, 10), parentId: result.text(row, 11),
            usage: result.text(row, 23),
            label: SessionLabel(title: result.text(row, 5), tags: tags, isArchived: result.bool(row, 7) ?? false),
            journal: Journal(logId: UInt32(truncatingIfNeeded: place.logId), sid: place.own, epoch: numbers[2]),
            createdTs: numbers[3], lastTs: numbers[4], oldest: numbers[5], head: numbers[6], timelineHead: numbers[7],
            state: result.bool(row, 18) == true ? .live : .ended, exit: result.text(row, 20))
        record.home = SessionHome(
            bridge: bridge, isRunning: result.bool(row, 19) == true, unreachableTs: result.integer(row, 22),
            hasUsageOfLastTurn: true)
        return record
    }
}

/// The conditions of a list, and the values of their parameters.
private struct Conditions {
    private var terms: [String]
    private(set) var values: [PostgresValue]

    init(_ exceptLog: Int64) {
        terms = ["s.log_id <> $1"]
        values = [.integer(exceptLog)]
    }

    var sql: String { terms.joined(separator: " AND ") }

    mutating func add(_ term: String) { terms.append(term) }

    mutating func add(_ column: String, equals text: String?) {
        guard let text else { return }
        values.append(.text(text))
        terms.append("\(column) = $\(values.count)")
    }

    mutating func add(_ filter: SessionFilter) {
        add("s.agent", equals: filter.agent)
        // In this form, the condition fits the partial index.
        if let isLive = filter.isLive { add(isLive ? "s.live" : "NOT s.live") }
        if let isArchived = filter.isArchived { add(isArchived ? "s.archived" : "NOT s.archived") }
        add("s.tenant", equals: filter.tenant)
        if !filter.hasChildren { add("s.parent IS NULL") }
        for word in filter.words {
            values.append(.text(word))
            terms.append(
                """
                position(lower($\(values.count)) IN lower(
                    concat_ws(' ', s.own_title, s.title, s.tags, s.cwd, s.prompt, s.session_id, s.agent,
                        (SELECT b.name FROM acpbridge.bridge b WHERE b.log_id = s.log_id)))) > 0
                """)
        }
    }

    /// A bridge's own sessions have lower numbers than those of the hub.
    mutating func add(after position: ListingPosition) {
        let place = HubSid(position.sid)
        values += [.integer(position.lastTs), .integer(place?.logId ?? -1), .integer(place?.own ?? 0)]
        let first = values.count - 2
        terms.append("(s.last_ts, s.log_id, s.sid) < ($\(first), $\(first + 1), $\(first + 2))")
    }
}
