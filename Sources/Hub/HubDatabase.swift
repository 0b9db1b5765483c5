import Postgres
import SessionRecords

/// A connection to the hub. Each call blocks its thread for a limited time. Used by one thread.
package final class HubDatabase {
    let connection: PostgresConnection

    /// Connections with all hosts of the address, one after another.
    private static let connectLimit = Duration.seconds(10)
    /// Each statement that moves little data.
    static let statementLimit = Duration.seconds(15)

    package init(_ address: PostgresAddress) throws(HubError) {
        connection = try Self.wrapping { () throws(PostgresError) in
            try PostgresConnection(address, within: Self.connectLimit)
        }
    }

    /// Connects, and checks the schema's version.
    package static func open(_ address: PostgresAddress) throws(HubError) -> HubDatabase {
        let database = try HubDatabase(address)
        guard let found = try database.schemaVersion() else { throw .schemaMissing }
        guard found >= HubSchema.version else { throw .schemaOlder(found: found) }
        guard found == HubSchema.version else { throw .schemaNewer(found: found) }
        return database
    }

    static func wrapping<Value>(_ body: () throws(PostgresError) -> Value) throws(HubError) -> Value {
        do throws(PostgresError) {
            return try body()
        } catch {
            throw .postgres(error)
        }
    }

    func execute(_ sql: String, _ values: [PostgresValue] = []) throws(HubError) -> PostgresResult {
        try Self.wrapping { () throws(PostgresError) in
            try connection.execute(sql, values, within: Self.statementLimit)
        }
    }

    // MARK: Schema

    /// The server's version, for example 150018.
    package var serverVersion: Int { connection.serverVersion }

    /// Nil if the database has no tables of acpbridge.
    package func schemaVersion() throws(HubError) -> Int64? {
        do throws(HubError) {
            return try execute("SELECT max(version) FROM acpbridge.schema_version").integer(0, 0)
        } catch {
            if case .postgres(let cause) = error, cause.isMissingObject { return nil }
            throw error
        }
    }

    /// Creates the tables, or upgrades them to this version.
    ///
    /// - Parameter found: the schema's present version; 0 for none.
    package func migrate(from found: Int64) throws(HubError) {
        let steps = HubSchema.steps.filter { $0.version > found }.map(\.sql).joined()
        try run(
            "BEGIN; \(HubSchema.lock); \(steps) UPDATE acpbridge.schema_version SET version = \(HubSchema.version);")
    }

    /// Creates the roles of bridges and viewers, and sets their rights.
    package func createRoles() throws(HubError) { try run("BEGIN; \(HubSchema.lock); \(HubSchema.roles)") }

    private func run(_ script: String) throws(HubError) {
        try Self.wrapping { () throws(PostgresError) in
            do throws(PostgresError) {
                try connection.run(script: script + " COMMIT", within: .seconds(300))
            } catch {
                if !error.endsConnection { try connection.run(script: "ROLLBACK", within: Self.statementLimit) }
                throw error
            }
        }
    }

    // MARK: Lease

    /// Takes or renews the lease: the right to ship a log. It lasts by PostgreSQL's clock.
    ///
    /// - Returns: False if another process has it.
    package func renewLease(_ writer: HubWriter) throws(HubError) -> Bool {
        let sql = """
            INSERT INTO acpbridge.bridge AS b (log_id, name, version, instance, lease_until, commands)
            VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5), $6)
            ON CONFLICT (log_id) DO UPDATE SET name = excluded.name, version = excluded.version,
                instance = excluded.instance, lease_until = excluded.lease_until, commands = excluded.commands
            WHERE b.instance = excluded.instance OR b.lease_until < now()
            RETURNING true
            """
        let values: [PostgresValue] = [
            .integer(writer.logId), .text(writer.name), .text(writer.version), .text(writer.instance),
            .integer(HubWriter.leaseSeconds), .text(writer.commands.rawValue),
        ]
        return try execute(sql, values).rowCount == 1
    }

    /// Ends the lease, so that lists show at once that the bridge is away.
    package func endLease(_ writer: HubWriter) throws(HubError) {
        _ = try execute(
            "UPDATE acpbridge.bridge SET lease_until = now() WHERE log_id = $1 AND instance = $2",
            [.integer(writer.logId), .text(writer.instance)])
    }

    // MARK: Places

    /// Returns what the hub has of a log.
    package func contents(of logId: Int64) throws(HubError) -> HubContents {
        // First the counter: what is deleted after this changes it again.
        let rows = try execute(
            """
            SELECT b.trimmed, r.before, current_setting('synchronous_standby_names') <> ''
            FROM acpbridge.bridge b, acpbridge.retention r WHERE b.log_id = $1
            """, [.integer(logId)])
        guard let trimmed = rows.integer(0, 0), let before = rows.integer(0, 1) else { throw .damaged }
        return HubContents(
            places: try places(of: logId), retainedFrom: before, trimmed: trimmed,
            hasStandby: rows.bool(0, 2) == true)
    }

    private func places(of logId: Int64) throws(HubError) -> [Int64: HubPlace] {
        let rows = try execute(
            """
            SELECT s.sid, s.facts_sum, h.epoch, h.n, h.seq, h.seq_n, h.oldest, h.ts, s.created, c.first
            FROM acpbridge.session s LEFT JOIN acpbridge.head h USING (log_id, sid)
                LEFT JOIN acpbridge.claim c ON (c.log_id, c.sid, c.epoch) = (h.log_id, h.sid, h.epoch)
            WHERE s.log_id = $1
            """, [.integer(logId)])
        var places: [Int64: HubPlace] = [:]
        for row in 0..<rows.rowCount {
            guard let sid = rows.integer(row, 0), let sum = rows.integer(row, 1), let created = rows.integer(row, 8)
            else {
                throw .damaged
            }
            let head = HubHead(
                epoch: rows.integer(row, 2) ?? 0, n: rows.integer(row, 3) ?? 0, seq: rows.integer(row, 4) ?? 0,
                seqN: rows.integer(row, 5) ?? 0, oldest: rows.integer(row, 6) ?? 1, ts: rows.integer(row, 7) ?? 0)
            guard head.isInRange else { throw .damaged }
            places[sid] = HubPlace(head: head, factsSum: sum, created: created, claimFirst: rows.integer(row, 9))
        }
        return places
    }

    /// Returns nil if the hub does not have the update.
    package func find(update: Int64, sid: Int64, logId: Int64) throws(HubError) -> HubUpdate? {
        guard update > 0 else { return nil }
        let session = try execute(
            "SELECT day - DATE '1970-01-01' FROM acpbridge.session WHERE log_id = $1 AND sid = $2",
            [.integer(logId), .integer(sid)])
        guard let day = session.integer(0, 0) else { return nil }
        // The day is a constant for the planner, which then ignores the partitions of other days.
        let rows = try execute(
            """
            SELECT n + $3 - first, ts, substring(times FROM (4 * ($3 - first) + 1)::int4 FOR 4) FROM acpbridge.run
            WHERE day = DATE '1970-01-01' + \(day) AND log_id = $1 AND sid = $2
                AND count > 0 AND first <= $3 AND first + count > $3
            ORDER BY epoch DESC LIMIT 1
            """, [.integer(logId), .integer(sid), .integer(update)])
        guard let n = rows.integer(0, 0), let ts = rows.integer(0, 1), ts.magnitude < UpdateNumber.limit else {
            return nil
        }
        return HubUpdate(n: n, ts: ts + RowBuilder.offset(0, in: rows.bytes(0, 2) ?? []))
    }

    // MARK: Shipping

    /// Commits the batch: all of it, or nothing.
    ///
    /// - Parameter trimmed: ``HubContents/trimmed``, as it was read.
    /// - Returns: True if somebody watches this log.
    package func ship(_ batch: HubBatch, of writer: HubWriter, trimmed: Int64) throws(HubError) -> Bool {
        for day in Set(batch.sessions.map(\.day)) {
            _ = try execute("SELECT acpbridge.make_day(DATE '1970-01-01' + $1::int4)", [.integer(day)])
        }
        let statements = Self.statements(batch, writer, trimmed)
        // 1 MB/s is slower than any network that a bridge is of use on.
        let limit = Self.statementLimit + .milliseconds(batch.costBytes / 1_000)
        do throws(PostgresError) {
            let results = try connection.transaction(statements, within: limit)
            return results.last?.bool(0, 0) ?? false
        } catch {
            if error.isMissingPartition { try makePartitions(batch, writer) }
            throw Self.failure(error)
        }
    }

    /// `hub retain` has dropped the partition of sessions that continue now. The next attempt finds new ones.
    private func makePartitions(_ batch: HubBatch, _ writer: HubWriter) throws(HubError) {
        _ = try execute(
            """
            SELECT acpbridge.make_day(d.day)
            FROM (SELECT DISTINCT day FROM acpbridge.session WHERE log_id = $1 AND sid = ANY ($2::int8[])) d
            """, [.integer(writer.logId), .integers(Array(batch.sids))])
    }

    /// The first statements of a transaction that changes the log's rows. The second one fails, by a division, if
    /// another process has the lease.
    static func opening(_ writer: HubWriter) -> [PostgresConnection.Statement] {
        [
            PostgresConnection.Statement("SELECT set_config('synchronous_commit', 'on', true)"),
            PostgresConnection.Statement(
                "SELECT 1 / count(*) FROM acpbridge.bridge WHERE log_id = $1 AND instance = $2",
                [.integer(writer.logId), .text(writer.instance)]),
        ]
    }

    /// The failure of a transaction that begins with ``opening(_:)``.
    static func failure(_ error: PostgresError) -> HubError {
        switch error.sqlState {
        case "22012": .leaseHeld
        case "2201F": .trimmed
        default: .postgres(error)
        }
    }

    private static func statements(
        _ batch: HubBatch, _ writer: HubWriter, _ trimmed: Int64
    ) -> [PostgresConnection.Statement] {
        let log = PostgresValue.integer(writer.logId)
        var statements = opening(writer)
        if !batch.sessions.isEmpty { statements.append(sessions(batch.sessions, log)) }
        if !batch.claims.isEmpty { statements.append(claims(batch.claims, log)) }
        if !batch.rows.isEmpty { statements.append(rows(batch.rows, log)) }
        if !batch.heads.isEmpty { statements += [heads(batch.heads, log), times(batch, log)] }
        // The root of a negative number fails, if sessions were deleted since the bridge has read what the hub has. It is
        // the last statement, because a deletion can have been committed during the others.
        statements.append(
            PostgresConnection.Statement(
                """
                SELECT EXISTS (SELECT FROM acpbridge.watch WHERE log_id = $1 AND until > now()),
                    sqrt((SELECT count(*) FROM acpbridge.bridge WHERE log_id = $1 AND trimmed = $2)::float8 - 1)
                """, [log, .integer(trimmed)]))
        return statements
    }

    private static func sessions(_ sessions: [HubSession], _ log: PostgresValue) -> PostgresConnection.Statement {
        let records = sessions.map(\.record)
        let names = [
            "agent", "session_id", "title", "own_title", "tags", "archived", "cwd", "prompt", "tenant", "parent",
            "epoch", "created", "last_ts", "live", "running", "exit", "facts_sum", "usage",
        ]
        let columns = names.joined(separator: ", ")
        let changes = names.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        return PostgresConnection.Statement(
            """
            INSERT INTO acpbridge.session AS s (log_id, sid, day, \(columns))
            SELECT $1, sid, DATE '1970-01-01' + day::int4, agent, session_id, title, own_title, tags, archived <> 0,
                cwd, prompt, tenant, parent, epoch, created, last_ts, live <> 0, running <> 0, exit, facts_sum, usage
            FROM unnest($2::int8[], $3::int8[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::int8[],
                $10::text[], $11::text[], $12::text[], $13::text[], $14::int8[], $15::int8[], $16::int8[], $17::int8[],
                $18::int8[], $19::text[], $20::int8[], $21::text[])
                AS t(sid, day, \(columns))
            ON CONFLICT (log_id, sid) DO UPDATE SET \(changes)
            """,
            [
                log, .integers(records.map(\.sid)), .integers(sessions.map(\.day)), .texts(records.map(\.agent)),
                .texts(records.map(\.sessionId)), .texts(records.map(\.title)), .texts(records.map(\.label.title)),
                .texts(records.map { $0.label.tags.isEmpty ? nil : $0.label.tags.joined(separator: "\n") }),
                .integers(records.map { $0.label.isArchived ? 1 : 0 }), .texts(records.map(\.cwd)),
                .texts(records.map(\.firstPrompt)), .texts(records.map(\.tenant)), .texts(records.map(\.parentId)),
                .integers(records.map(\.journal.epoch)), .integers(records.map(\.createdTs)),
                .integers(records.map(\.lastTs)), .integers(records.map { $0.state == .live ? 1 : 0 }),
                .integers(sessions.map { $0.isRunning ? 1 : 0 }), .texts(records.map(\.exit)),
                .integers(sessions.map(\.factsSum)), .texts(records.map(\.usage)),
            ])
    }

    private static func claims(_ claims: [HubClaim], _ log: PostgresValue) -> PostgresConnection.Statement {
        PostgresConnection.Statement(
            """
            INSERT INTO acpbridge.claim (log_id, sid, epoch, first, first_n)
            SELECT $1, * FROM unnest($2::int8[], $3::int8[], $4::int8[], $5::int8[])
            """,
            [
                log, .integers(claims.map(\.sid)), .integers(claims.map(\.epoch)), .integers(claims.map(\.first)),
                .integers(claims.map(\.firstN)),
            ])
    }

    private static func rows(_ rows: [HubRow], _ log: PostgresValue) -> PostgresConnection.Statement {
        PostgresConnection.Statement(
            """
            INSERT INTO acpbridge.run (day, log_id, sid, epoch, n, first, count, ts, kind, body, times, sum)
            SELECT s.day, $1, t.* FROM unnest($2::int8[], $3::int8[], $4::int8[], $5::int8[], $6::int8[], $7::int8[],
                $8::text[], $9::bytea[], $10::bytea[], $11::int8[])
                AS t(sid, epoch, n, first, count, ts, kind, body, times, sum)
            JOIN acpbridge.session s ON s.log_id = $1 AND s.sid = t.sid
            """,
            [
                log, .integers(rows.map(\.sid)), .integers(rows.map(\.epoch)), .integers(rows.map(\.n)),
                .integers(rows.map(\.first)), .integers(rows.map(\.count)), .integers(rows.map(\.ts)),
                .texts(rows.map(\.kind)), .byteArrays(rows.map(\.body)), .byteArrays(rows.map(\.offsets)),
                .integers(rows.map { Checksum.of($0.body) }),
            ])
    }

    private static func heads(_ heads: [Int64: HubHead], _ log: PostgresValue) -> PostgresConnection.Statement {
        let (sids, heads) = (Array(heads.keys), Array(heads.values))
        return PostgresConnection.Statement(
            """
            INSERT INTO acpbridge.head AS h (log_id, sid, epoch, n, seq, seq_n, oldest, ts)
            SELECT $1, * FROM unnest($2::int8[], $3::int8[], $4::int8[], $5::int8[], $6::int8[], $7::int8[], $8::int8[])
            ON CONFLICT (log_id, sid) DO UPDATE SET epoch = excluded.epoch, n = excluded.n, seq = excluded.seq,
                seq_n = excluded.seq_n, oldest = excluded.oldest, ts = excluded.ts
            """,
            [
                log, .integers(sids), .integers(heads.map(\.epoch)), .integers(heads.map(\.n)),
                .integers(heads.map(\.seq)), .integers(heads.map(\.seqN)), .integers(heads.map(\.oldest)),
                .integers(heads.map(\.ts)),
            ])
    }

    /// Lists are ordered by `last_ts`, which is in an index. It is changed every ten seconds at most. The exit of an agent
    /// does not change it.
    private static func times(_ batch: HubBatch, _ log: PostgresValue) -> PostgresConnection.Statement {
        let exits = Set(batch.rows.filter { $0.kind == LogItem.exitKind && batch.heads[$0.sid]?.n == $0.n }.map(\.sid))
        let heads = batch.heads.filter { !exits.contains($0.key) }
        return PostgresConnection.Statement(
            """
            UPDATE acpbridge.session s SET last_ts = t.ts FROM unnest($2::int8[], $3::int8[]) AS t(sid, ts)
            WHERE s.log_id = $1 AND s.sid = t.sid AND t.ts > s.last_ts + 10000
            """, [log, .integers(Array(heads.keys)), .integers(heads.values.map(\.ts))])
    }
}
