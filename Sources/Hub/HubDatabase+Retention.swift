import Postgres

/// The sessions of one day, the UTC day on which they began, as `hub retain` finds them.
package struct HubDay: Sendable, Equatable {
    /// `2026-01-31`.
    package let day: String
    package let sessions: Int64
    /// Those that ended long enough ago.
    package let expired: Int64
    /// The size of the day's partition with its indexes; nil if it has none.
    package let partitionBytes: Int64?

    package init(day: String, sessions: Int64, expired: Int64, partitionBytes: Int64?) {
        (self.day, self.sessions, self.expired) = (day, sessions, expired)
        self.partitionBytes = partitionBytes
    }

    /// The whole partition can be dropped.
    package var isWhole: Bool { expired == sessions && partitionBytes != nil }
}

/// Deletes old sessions at the hub. Needs the rights of the tables' owner.
///
/// A session is old if it ended before a time. A live session of a bridge that has been away since then counts as ended.
/// A bridge can start an old session again at any moment: its transaction touches the row in `session`, so the deletion
/// waits for it and then finds a session that is not old; or the deletion is first, and the transaction fails, because
/// `bridge.trimmed` has changed.
extension HubDatabase {
    /// Sessions whose rows are deleted in one transaction.
    private static let expiryCount = 20
    /// The same if their rows are in a detached partition.
    private static let summaryCount = 1_000
    /// The rows of 20 long sessions, or a detached partition that other transactions still read.
    private static let retentionLimit = Duration.seconds(120)

    /// $1: the day; $2: milliseconds since 1970. `s`, `h` and `b` are the session, its head and its bridge.
    private static let isExpired = """
        greatest(s.last_ts, h.ts) < $2 AND (NOT s.live OR b.lease_until < to_timestamp($2 / 1000.0))
        """
    private static let expiryTables = """
        acpbridge.session s JOIN acpbridge.bridge b USING (log_id) LEFT JOIN acpbridge.head h USING (log_id, sid)
        """

    /// Returns the time that lies this long before now, by PostgreSQL's clock, in milliseconds since 1970.
    package func time(before duration: Duration) throws(HubError) -> Int64 {
        let milliseconds = duration.components.seconds * 1000
        let rows = try execute("SELECT (extract(epoch FROM now()) * 1000)::int8 - $1", [.integer(milliseconds)])
        guard let time = rows.integer(0, 0) else { throw .damaged }
        return time
    }

    /// Returns the days that have old sessions or an empty partition, the oldest first.
    package func expiredDays(before cutoff: Int64) throws(HubError) -> [HubDay] {
        let rows = try Self.wrapping { () throws(PostgresError) in
            try connection.execute(
                """
                WITH part AS (
                    SELECT to_date(right(c.relname, 8), 'YYYYMMDD') AS day, c.oid
                    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
                    WHERE i.inhparent = 'acpbridge.run'::regclass AND NOT i.inhdetachpending
                ), found AS (
                    SELECT s.day, count(*) AS sessions, count(*) FILTER (WHERE \(Self.isExpired)) AS expired
                    FROM \(Self.expiryTables) WHERE $1 AND isfinite(s.day) GROUP BY s.day
                )
                SELECT to_char(day, 'YYYY-MM-DD'), coalesce(sessions, 0), coalesce(expired, 0),
                    pg_total_relation_size(part.oid)
                FROM found FULL JOIN part USING (day)
                WHERE expired > 0 OR sessions IS NULL AND day < (to_timestamp($2 / 1000.0) AT TIME ZONE 'UTC')::date
                ORDER BY day
                """, [.bool(true), .integer(cutoff)], within: Self.retentionLimit)
        }
        var days: [HubDay] = []
        for row in 0..<rows.rowCount {
            guard let day = rows.text(row, 0), let sessions = rows.integer(row, 1), let expired = rows.integer(row, 2)
            else { throw .damaged }
            days.append(
                HubDay(day: day, sessions: sessions, expired: expired, partitionBytes: rows.integer(row, 3)))
        }
        return days
    }

    /// Deletes some old sessions of the day. Returns their number; 0 if none is left.
    ///
    /// - Parameter keepsRows: the timelines are in a partition that is detached.
    package func expire(_ day: String, before cutoff: Int64, keepsRows: Bool) throws(HubError) -> Int64 {
        let rows =
            keepsRows
            ? ""
            : """
            , r AS (DELETE FROM acpbridge.run t USING gone g
                WHERE t.day = $1::date AND t.log_id = g.log_id AND t.sid = g.sid)
            """
        let others = ["head", "claim", "document", "searched"].map { table in
            """
            , \(table)_gone AS (DELETE FROM acpbridge.\(table) t USING gone g
                WHERE t.log_id = g.log_id AND t.sid = g.sid)
            """
        }
        let found = try Self.wrapping { () throws(PostgresError) in
            try connection.execute(
                """
                WITH old AS (
                    SELECT s.log_id, s.sid, b.lease_until < to_timestamp($2 / 1000.0) AS away
                    FROM \(Self.expiryTables) WHERE s.day = $1::date AND \(Self.isExpired)
                    ORDER BY s.log_id, s.sid LIMIT \(keepsRows ? Self.summaryCount : Self.expiryCount)
                ), gone AS (
                    DELETE FROM acpbridge.session s USING old o
                    WHERE s.log_id = o.log_id AND s.sid = o.sid AND s.last_ts < $2 AND (NOT s.live OR o.away)
                    RETURNING s.log_id, s.sid
                ), noted AS (
                    UPDATE acpbridge.bridge SET trimmed = trimmed + 1 WHERE log_id IN (SELECT log_id FROM gone)
                ), kept AS (
                    UPDATE acpbridge.retention SET before = greatest(before, $2)
                )\(others.joined())\(rows)
                SELECT count(*) FROM gone
                """, [.text(day), .integer(cutoff)], within: Self.retentionLimit)
        }
        return found.integer(0, 0) ?? 0
    }

    /// Takes the day's partition out of the table, before its sessions are deleted: a session that is shipped again after its
    /// deletion must not meet its old rows. Until ``finishPartition(of:)``, rows of this day cannot be stored, and bridges try
    /// again.
    package func detachPartition(of day: String) throws(HubError) {
        let name = Self.partition(of: day)
        do throws(HubError) {
            try change("ALTER TABLE acpbridge.run DETACH PARTITION acpbridge.\(name) CONCURRENTLY")
        } catch {
            guard !error.endsConnection else { throw error }
            // A default partition forbids it. Writers wait for up to the lock's limit then.
            try change(
                """
                BEGIN; SET LOCAL lock_timeout = '5s'; ALTER TABLE acpbridge.run DETACH PARTITION acpbridge.\(name); COMMIT
                """)
        }
    }

    /// Drops the detached partition if the day has no session. Otherwise attaches it again, with the rows of its sessions.
    ///
    /// - Returns: True if the partition was dropped.
    package func finishPartition(of day: String) throws(HubError) -> Bool {
        try finish(Self.partition(of: day), day)
    }

    private static func partition(of day: String) -> String { "run_" + day.filter { $0 != "-" } }

    /// Completes what an earlier `hub retain` did not finish. Returns the days of the partitions that it dropped.
    package func finishRetention() throws(HubError) -> [String] {
        let pending = try execute(
            """
            SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
            WHERE i.inhparent = 'acpbridge.run'::regclass AND i.inhdetachpending
            """)
        for row in 0..<pending.rowCount {
            guard let name = pending.text(row, 0) else { throw .damaged }
            try change("ALTER TABLE acpbridge.run DETACH PARTITION acpbridge.\(name) FINALIZE")
        }
        let detached = try execute(
            """
            SELECT c.relname, to_char(to_date(right(c.relname, 8), 'YYYYMMDD'), 'YYYY-MM-DD')
            FROM pg_class c WHERE c.relnamespace = 'acpbridge'::regnamespace AND c.relkind = 'r'
                AND c.relname ~ '^run_[0-9]{8}$' AND NOT EXISTS (SELECT FROM pg_inherits i WHERE i.inhrelid = c.oid)
            """)
        var days: [String] = []
        for row in 0..<detached.rowCount {
            guard let name = detached.text(row, 0), let day = detached.text(row, 1) else { throw .damaged }
            if try finish(name, day) { days.append(day) }
        }
        return days
    }

    /// A detached partition gets no new rows. A session that was not deleted keeps its head, and a session that was shipped
    /// again has none before its first rows.
    private func finish(_ name: String, _ day: String) throws(HubError) -> Bool {
        if try hasNoSession(day) {
            try change("DROP TABLE acpbridge.\(name)")
            return true
        }
        try change(
            """
            DELETE FROM acpbridge.\(name) r WHERE NOT EXISTS (
                SELECT FROM acpbridge.head h WHERE h.log_id = r.log_id AND h.sid = r.sid);
            ALTER TABLE acpbridge.run ATTACH PARTITION acpbridge.\(name)
                FOR VALUES FROM ('\(day)') TO (DATE '\(day)' + 1)
            """)
        return false
    }

    private func hasNoSession(_ day: String) throws(HubError) -> Bool {
        try execute("SELECT NOT EXISTS (SELECT FROM acpbridge.session WHERE day = $1::date)", [.text(day)])
            .bool(0, 0) == true
    }

    private func change(_ script: String) throws(HubError) {
        try Self.wrapping { () throws(PostgresError) in
            try connection.run(script: script, within: Self.retentionLimit)
        }
    }
}
