import SQLite
import SessionRecords

extension WriteConnection {
    /// Deletes the incarnations that ``Retention`` selects, in the same way as single requests to delete them.
    ///
    /// The size of an incarnation is known exactly only after it is out of the file. So, to free space, the deletion
    /// stops as soon as an estimate that is rather too high reaches the goal. If the real size is lower, the next
    /// request deletes the rest.
    func retain(_ retention: Retention) throws(SQLiteError) -> Answer {
        let clockLead = if let reading = retention.clock { try clock.lead(of: reading, connection) } else { Int64(0) }
        var victims = try old(retention, clockLead: clockLead)
        if victims.isEmpty, try goneIncarnations().isEmpty { victims = try excess(retention) }
        for incarnation in victims {
            try statements.markGone.run(.integer(incarnation.sid))
            sessions.forget(incarnation.sid)
        }
        return .forgotten(
            Forgotten(incarnations: victims, isUnderWay: try !goneIncarnations().isEmpty, clockLead: clockLead))
    }

    private func old(_ retention: Retention, clockLead: Int64) throws(SQLiteError) -> [Forgotten.Incarnation] {
        guard let endedBefore = retention.endedBefore else { return [] }
        let (before, overflow) = endedBefore.subtractingReportingOverflow(clockLead)
        return overflow ? [] : try ended(retention, before: before)
    }

    private func excess(_ retention: Retention) throws(SQLiteError) -> [Forgotten.Incarnation] {
        guard let limit = retention.usedBytes else { return [] }
        var excess = try usedBytes() - limit
        guard excess > 0 else { return [] }
        var victims: [Forgotten.Incarnation] = []
        for incarnation in try ended(retention, before: .max) where excess > 0 {
            victims.append(incarnation)
            let size = try estimate(of: incarnation.sid)
            guard !size.isPartial else { break }
            excess -= size.bytes
        }
        return victims
    }

    /// Returns ended incarnations. The one that has been inactive for the longest time is the first. The exit of an agent is no
    /// activity, but a session that ended with its agent is as old as that entry.
    private func ended(_ retention: Retention, before: Int64) throws(SQLiteError) -> [Forgotten.Incarnation] {
        try connection.prepare(
            """
            SELECT sid, agent, session_id FROM session
            WHERE settled = 1 AND live = 0 AND gone = 0 AND last_ts < ?1
                AND coalesce((SELECT ts FROM entry WHERE sid = session.sid ORDER BY n DESC LIMIT 1), 0) < ?1
            ORDER BY last_ts, sid LIMIT ?2
            """
        ).all(.integer(before), .integer(Int64(Retention.incarnations + retention.sparing.count))) {
            Forgotten.Incarnation(sid: $0.integer(0), agent: $0.text(1) ?? "", sessionId: $0.text(2) ?? "")
        }.filter { !retention.sparing.contains($0.sid) }
    }

    /// Returns the bytes of the tables' used pages and of the file of floods. Free pages are used again, and the file does not
    /// shrink.
    func usedBytes() throws(SQLiteError) -> Int64 {
        let pages = try connection.integer("PRAGMA page_count") - connection.integer("PRAGMA freelist_count")
        return try pages * pageBytes + outside.usedBytes(connection)
    }

    /// Estimates an incarnation's size from at most a thousand runs, so that a long incarnation does not hold up the
    /// writer.
    private func estimate(of sid: Int64) throws(SQLiteError) -> (bytes: Int64, isPartial: Bool) {
        let rows = Int64(1000)
        // A value longer than a page has whole pages of its own.
        let size = try connection.prepare(
            """
            SELECT sum(CASE WHEN bytes > ?3 * 3 / 4 THEN (bytes + 2 * ?3 - 1) / ?3 * ?3 ELSE bytes + 60 END), count(*)
            FROM (SELECT \(StoredPlaces.size) + coalesce(length(earlier), 0) AS bytes FROM run WHERE sid = ?1 LIMIT ?2)
            """
        ).first(.integer(sid), .integer(rows), .integer(pageBytes)) { (bytes: $0.integer(0), count: $0.integer(1)) }
        return (size?.bytes ?? 0, size?.count == rows)
    }
}
