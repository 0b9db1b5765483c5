extension WriteConnection {
    /// Deletes the lives that ``Retention`` selects, in the same way as single requests to delete them.
    ///
    /// The size of a life is known exactly only after it is out of the file. So, to free space, the deletion stops as
    /// soon as an estimate that is rather too high reaches the goal. If the real size is lower, the next request
    /// deletes the rest.
    func retain(_ retention: Retention) throws(LogError) -> Answer {
        let clockLead = try clockLead(retention.clock)
        var victims = try old(retention, clockLead: clockLead)
        if victims.isEmpty, try goneLives().isEmpty { victims = try excess(retention) }
        for life in victims {
            try statements.markGone.run(.integer(life.sid))
            sessions.forget(life.sid)
        }
        return .forgotten(Forgotten(lives: victims, isUnderWay: try !goneLives().isEmpty, clockLead: clockLead))
    }

    private func old(_ retention: Retention, clockLead: Int64) throws(LogError) -> [Forgotten.Life] {
        guard let endedBefore = retention.endedBefore else { return [] }
        let (before, overflow) = endedBefore.subtractingReportingOverflow(clockLead)
        return overflow ? [] : try ended(retention, before: before)
    }

    /// Returns how far the system's clock is ahead: see ``TrustedClock``. The trusted clock is stored, so that it
    /// outlives the bridge.
    private func clockLead(_ reading: ClockReading?) throws(LogError) -> Int64 {
        guard let reading else { return 0 }
        let stored = try storedClock()
        let newest = stored == nil ? try newestTime() : nil
        var clock = trustedClock ?? stored ?? TrustedClock(time: newest ?? reading.now)
        let lead = clock.advance(to: reading)
        trustedClock = clock
        if clock.mustBeStored(over: stored) {
            try connection.prepare("UPDATE log SET clock = ?1, clock_trial = ?2")
                .run(.integer(clock.time), .integer(clock.trial))
        }
        return lead
    }

    private func storedClock() throws(LogError) -> TrustedClock? {
        try connection.prepare("SELECT clock, clock_trial FROM log WHERE clock IS NOT NULL").first {
            TrustedClock(time: $0.integer(0), trial: $0.integer(1))
        }
    }

    /// Returns the newest time at which an ended session was active, or nil if there is none.
    private func newestTime() throws(LogError) -> Int64? {
        try connection.prepare("SELECT max(last_ts) FROM session WHERE settled = 1").first {
            $0.isNull(0) ? nil : $0.integer(0)
        } ?? nil
    }

    private func excess(_ retention: Retention) throws(LogError) -> [Forgotten.Life] {
        guard let limit = retention.usedBytes else { return [] }
        var excess = try usedBytes() - limit
        guard excess > 0 else { return [] }
        var victims: [Forgotten.Life] = []
        for life in try ended(retention, before: .max) where excess > 0 {
            victims.append(life)
            let size = try estimate(of: life.sid)
            guard !size.isPartial else { break }
            excess -= size.bytes
        }
        return victims
    }

    /// Returns ended lives, beginning with the one that was active longest ago.
    private func ended(_ retention: Retention, before: Int64) throws(LogError) -> [Forgotten.Life] {
        try connection.prepare(
            """
            SELECT sid, agent, session_id FROM session
            WHERE settled = 1 AND live = 0 AND gone = 0 AND last_ts < ?1 ORDER BY last_ts, sid LIMIT ?2
            """
        ).all(.integer(before), .integer(Int64(Retention.lives + retention.sparing.count))) {
            Forgotten.Life(sid: $0.integer(0), agent: $0.text(1) ?? "", sessionId: $0.text(2) ?? "")
        }.filter { !retention.sparing.contains($0.sid) }
    }

    /// Returns the bytes of the file's used pages. Free pages are used again, and the file does not shrink.
    func usedBytes() throws(LogError) -> Int64 {
        let pages = try connection.integer("PRAGMA page_count") - connection.integer("PRAGMA freelist_count")
        return try pages * connection.integer("PRAGMA page_size")
    }

    /// Estimates a life's size from at most a thousand runs, so that a long life does not hold up the writer.
    private func estimate(of sid: Int64) throws(LogError) -> (bytes: Int64, isPartial: Bool) {
        let rows = Int64(1000)
        // A value longer than a page has whole pages of its own.
        let size = try connection.prepare(
            """
            SELECT sum(CASE WHEN bytes > 3000 THEN (bytes + 8191) / 4096 * 4096 ELSE bytes + 60 END), count(*)
            FROM (SELECT length(lines) AS bytes FROM run WHERE sid = ?1 LIMIT ?2)
            """
        ).first(.integer(sid), .integer(rows)) { (bytes: $0.integer(0), count: $0.integer(1)) }
        return (size?.bytes ?? 0, size?.count == rows)
    }
}
