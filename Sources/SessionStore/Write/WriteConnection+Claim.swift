import Posix
import SQLite
import SessionRecords

extension WriteConnection {
    func claim(
        agent: String, sessionId: String, mode: ClaimMode, facts: SessionFacts
    ) throws(SQLiteError) -> Answer {
        let ts = facts.lastTs ?? wallClockMilliseconds()
        let existing: Int64? =
            switch mode {
            case .fresh: nil
            case .continueLatest: try newestIncarnation(agent: agent, sessionId: sessionId, tenant: facts.tenant)
            case .again(let sid): sid
            }
        let sid =
            if let existing { existing } else {
                try insertSession(agent: agent, sessionId: sessionId, tenant: facts.tenant, ts: ts)
            }
        try statements.claim.run(
            .integer(sid), .optional(facts.title), .optional(facts.cwd), .optional(facts.exit), .integer(ts),
            .optional(facts.firstPrompt), .optional(facts.parentId), .optional(facts.usage))
        guard let (session, oldest, usage) = try lastClaim(of: sid) else { return .failed(.unknownSession(sid: sid)) }
        let earlier: String? = if case .continueLatest = mode { usage } else { nil }
        // A power cut must not leave the claim and take updates before it.
        if session.head > 0 { try outside.syncWritten() }
        try statements.insertEpoch.run(.integer(sid), .integer(session.epoch), .integer(session.head + 1))
        sessions[sid] = session
        return .claimed(
            Lease(
                journal: Journal(logId: logId, sid: sid, epoch: session.epoch), oldest: oldest, head: session.head,
                timelineHead: session.timelineHead, wasCreated: existing == nil, usage: earlier))
    }

    /// Returns the session in the state that its last claim left, the oldest update kept, and the stored usage. Returns nil
    /// if the incarnation does not exist.
    func lastClaim(of sid: Int64) throws(SQLiteError) -> (session: ClaimedSession, oldest: Int64, usage: String?)? {
        try statements.claimed.first(.integer(sid)) { row in
            let session = ClaimedSession(
                epoch: row.integer(0), head: row.integer(2), timelineHead: row.integer(3), isSettled: false)
            return (session, row.integer(1), row.text(4))
        }
    }

    private func newestIncarnation(agent: String, sessionId: String, tenant: String?) throws(SQLiteError) -> Int64? {
        try statements.newestIncarnation.first(.text(sessionId), .text(agent), .optional(tenant)) {
            $0.isNull(0) ? nil : $0.integer(0)
        } ?? nil
    }

    private func insertSession(
        agent: String, sessionId: String, tenant: String?, ts: Int64
    ) throws(SQLiteError) -> Int64 {
        try statements.insertSession.run(.text(sessionId), .text(agent), .integer(ts), .optional(tenant))
        return connection.lastInsertedRow
    }

    func describe(sid: Int64, facts: SessionFacts) throws(SQLiteError) -> Answer {
        let live: Int64? = facts.state.map { $0 == .live ? 1 : 0 }
        try statements.describe.run(
            .integer(sid), .optional(facts.title), .optional(facts.cwd), .optional(live), .optional(facts.exit),
            .optional(facts.lastTs), .optional(facts.firstPrompt), .optional(facts.parentId), .optional(facts.usage))
        guard connection.changedRows == 1 else { return .failed(.unknownSession(sid: sid)) }
        if let state = facts.state { try setSettled(state == .ended, sid: sid) }
        return .described
    }

    /// Stores an ended incarnation's last time in the incarnation's row, so that listings need not search the runs.
    func setSettled(_ isSettled: Bool, sid: Int64) throws(SQLiteError) {
        if isSettled {
            try statements.settle.run(.integer(sid))
        } else {
            try statements.unsettle.run(.integer(sid))
        }
        sessions[sid]?.isSettled = isSettled
    }
}
