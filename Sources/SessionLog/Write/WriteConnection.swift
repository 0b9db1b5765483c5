import CSQLite

/// The only connection that writes. It checkpoints too: SQLite before 3.51.3 may damage the
/// file when another connection does (<https://sqlite.org/wal.html>).
final class WriteConnection {
    let connection: Connection
    let statements: WriteStatements
    let logId: UInt32
    var sessions = ClaimedSessions()
    /// The spool's next lap: higher than those of which there may be something in its file.
    let spoolGeneration: UInt64
    /// Under ``Durability/normal``: to put a claim on disk before it is answered.
    private let wal: WalFile?
    private let durability: Durability
    /// What opening has written is on disk.
    private var isSettled = false
    /// Of 4096 bytes, in the WAL; set by SQLite in each commit.
    private let walPages = UnsafeMutablePointer<Int32>.allocate(capacity: 1)

    /// As of the last ``WriteRequest/Operation/retain(_:)``.
    var trustedClock: TrustedClock?
    /// Who has been appending, as far as it was committed or tried.
    var use = LogUse()
    /// 4 MB of WAL: it keeps a checkpoint short.
    private static let checkpointPages: Int32 = 1000
    /// 1 MB, while one session's appends wait for the checkpoints that another makes due: a sync of as much.
    private static let sharedCheckpointPages: Int32 = 250

    /// What a connection knows that is not in the file.
    struct Leftovers {
        fileprivate let sessions: ClaimedSessions
        fileprivate let use: LogUse
        fileprivate let trustedClock: TrustedClock?
    }

    var leftovers: Leftovers { Leftovers(sessions: sessions, use: use, trustedClock: trustedClock) }

    /// Nothing is synced here, so that opening is quick: `settle()` is to follow.
    ///
    /// - Parameter leftovers: of the connection before this one in the same process; then no session has crashed.
    init(
        file: LogFile, durability: Durability, now: Int64, continuing leftovers: Leftovers? = nil
    ) throws(LogError) {
        self.durability = durability
        connection = try Connection(path: file.path, .readWrite)
        // Without a sync of the WAL before it, a checkpoint would not be safe from a power cut.
        try connection.execute("PRAGMA synchronous=OFF")
        let isNew = try Schema.prepare(connection, path: file.path)
        // Checkpoints are made where nobody waits for them.
        try connection.execute("PRAGMA wal_autocheckpoint=0")
        walPages.initialize(to: 0)
        sqlite3_wal_hook(
            connection.handle,
            { context, _, _, pages in
                context?.assumingMemoryBound(to: Int32.self).pointee = pages
                return SQLITE_OK
            }, walPages)
        logId = UInt32(truncatingIfNeeded: try connection.integer("SELECT id FROM log"))
        statements = try WriteStatements(connection)
        if leftovers != nil { try connection.execute("UPDATE log SET opened = opened") }
        let spooled = isNew || leftovers != nil ? [] : try SpoolFile.records(path: file.spoolPath, logId: logId)
        spoolGeneration = (spooled.map(\.generation).max() ?? 0) &+ 1
        wal = durability == .normal ? try WalFile(path: file.walPath) : nil
        if let leftovers {
            (sessions, use, trustedClock) = (leftovers.sessions, leftovers.use, leftovers.trustedClock)
            return
        }
        try takeOver(spooled)
        try Self.recover(connection, now: now)
        if !isNew { try probe() }
    }

    /// Does what every session does, and takes it back: where the file is damaged so that this fails, it would fail all
    /// of them, and it is better begun anew. Costs less than a millisecond.
    private func probe() throws(LogError) {
        defer { connection.rollBack() }
        do throws(LogError) {
            try statements.begin.run()
            try statements.insertSession.run(.text(""), .text(""), .integer(0), .null)
            let sid = Statement.Value.integer(connection.lastInsertedRow)
            try statements.insertEpoch.run(sid, .integer(1), .integer(1))
            try statements.insertRun.run(sid, .integer(1), .integer(1), .integer(0), .integer(0), bytes: [])
            try statements.insertEntry.run(
                sid, .integer(1), .integer(1), .integer(0), .text(""), .integer(0), bytes: [])
            _ = try connection.prepare(RecordSQL.recent).all(.integer(Self.probedSessions), .null) { $0.integer(0) }
        } catch {
            // What is wrong with the disk may pass, and is told by the first commit.
            guard error.isDamage else { return }
            throw error
        }
    }

    /// As many as people look at.
    private static let probedSessions: Int64 = 100

    deinit {
        sqlite3_wal_hook(connection.handle, nil, nil)
        walPages.deallocate()
    }

    /// Puts on disk what opening has written, the file, its WAL and their names in the folder, and the settings in force
    /// that hold from then on. To be called before anything is committed; no claim is answered before it has succeeded.
    func settle() throws(LogError) {
        guard !isSettled else { return }
        // One large transaction is not to leave a large WAL behind.
        try connection.execute(
            """
            PRAGMA synchronous=\(durability == .full ? "FULL" : "NORMAL");
            PRAGMA journal_size_limit=16777216
            """)
        // It syncs the WAL and the file. The first sync of a file that SQLite has created includes the folder.
        let code = checkpoint(SQLITE_CHECKPOINT_PASSIVE)
        guard code == SQLITE_OK else { throw LogError(sqlite: code) }
        isSettled = true
    }

    /// Stores what a killed process had only in the spool. What the log has already is refused by its number.
    private func takeOver(_ spooled: [SpoolRecord]) throws(LogError) {
        guard !spooled.isEmpty else { return }
        try transaction { () throws(LogError) in
            for record in spooled {
                if sessions[record.sid] == nil { sessions[record.sid] = try lastClaim(of: record.sid)?.session }
                _ = try apply(record.operation)
            }
        }
        // Nobody has claimed them yet.
        sessions = ClaimedSessions()
    }

    /// Ends the lives that a killed process left.
    private static func recover(_ connection: borrowing Connection, now: Int64) throws(LogError) {
        try connection.execute(
            """
            BEGIN IMMEDIATE;
            UPDATE session SET settled = 1, last_ts = \(LastRows.lastTs), live = 0,
                exit = CASE live WHEN 1 THEN '\(SessionRecord.crashedExit)' ELSE exit END
            WHERE settled = 0;
            UPDATE log SET opened = \(now);
            COMMIT
            """)
    }

    /// Commits and answers. `nil` stands for a trim, which is answered later.
    ///
    /// - Parameter failure: why appends that were answered before are not here yet; what must come behind them fails with
    ///   it.
    func commit(_ operations: [WriteRequest.Operation], behind failure: LogError? = nil) -> [Answer?] {
        guard let failure else { return confirmClaims(in: store(operations)) }
        return operations.flatMap { $0.comesBehindAppends ? [.failed(failure)] : commit([$0]) }
    }

    /// Commits appends that were answered before. Returns what was refused.
    func transfer(_ operations: [WriteRequest.Operation]) throws(LogError) -> [LogError] {
        let answers = try transaction { () throws(LogError) in try apply(operations) }
        return answers.compactMap { if case .failed(let error) = $0 { error } else { nil } }
    }

    /// Everything in one transaction; if that fails, each in its own, so that no request fails for another's sake.
    private func store(_ operations: [WriteRequest.Operation]) -> [Answer?] {
        if operations.count == 1, let answer = storeAlone(operations[0]) { return [answer] }
        if let answers = try? transaction({ () throws(LogError) in try apply(operations) }) { return answers }
        return operations.map { operation in
            do throws(LogError) {
                return try transaction { () throws(LogError) in try apply(operation) }
            } catch {
                return .failed(error)
            }
        }
    }

    /// A single row, which SQLite itself makes a transaction of: that takes half the time. Nil when it is more, or failed;
    /// then nothing was stored.
    func storeAlone(_ operation: WriteRequest.Operation) -> Answer? {
        guard case .append(let sid, _, _, let items) = operation, items.count == 1,
            items[0].byteCount <= RunSplitter.rowBytes, sessions[sid]?.isSettled == false
        else { return nil }
        do throws(LogError) {
            let answer = try apply(operation)
            sessions.commit()
            return answer
        } catch {
            connection.rollBack()
            sessions.rollBack()
            return nil
        }
    }

    /// Puts claims on disk before they are answered: a power cut that took one back would let the next claim use its
    /// journal for another history. After the commit, so a failure here fails the claims alone: what else was stored is
    /// stored.
    private func confirmClaims(in answers: [Answer?]) -> [Answer?] {
        guard answers.contains(where: { $0?.isClaim == true }) else { return answers }
        do throws(LogError) {
            try settle()
            try wal?.sync()
            return answers
        } catch {
            return answers.map { $0?.isClaim == true ? .failed(error) : $0 }
        }
    }

    /// Returns when what was committed is on disk. Only under ``Durability/normal``; otherwise it was before.
    func syncWal() throws(LogError) { try wal?.sync() }

    func transaction<Result>(_ body: () throws(LogError) -> Result) throws(LogError) -> Result {
        let result: Result
        do throws(LogError) {
            try statements.begin.run()
            result = try body()
            try statements.commit.run()
        } catch {
            connection.rollBack()
            sessions.rollBack()
            throw error
        }
        sessions.commit()
        return result
    }

    private func apply(_ operations: [WriteRequest.Operation]) throws(LogError) -> [Answer?] {
        var answers: [Answer?] = []
        answers.reserveCapacity(operations.count)
        for operation in operations { answers.append(try apply(operation)) }
        return answers
    }

    private func apply(_ operation: WriteRequest.Operation) throws(LogError) -> Answer? {
        switch operation {
        case .claim(let agent, let sessionId, let mode, let facts):
            try claim(agent: agent, sessionId: sessionId, mode: mode, facts: facts)
        case .append(let sid, let epoch, let after, let items):
            try append(sid: sid, epoch: epoch, after: after, items: items)
        case .describe(let sid, let facts): try describe(sid: sid, facts: facts)
        case .label(let sid, let change): try label(sid: sid, change)
        case .delete(let sid): try delete(sid: sid)
        case .retain(let retention): try retain(retention)
        case .trim: nil
        }
    }

    // MARK: Checkpoints

    /// Brings the WAL into the file when it has grown long, as far as no reader needs it. Failing is no loss: the WAL
    /// grows, and the next commit makes the next due.
    func checkpointIfDue() {
        guard isCheckpointDue else { return }
        walPages.pointee = 0
        checkpoint(SQLITE_CHECKPOINT_PASSIVE)
    }

    var isCheckpointDue: Bool {
        walPages.pointee >= (use.isShared ? Self.sharedCheckpointPages : Self.checkpointPages)
    }

    /// Brings all of the WAL into the file, and both to the disk.
    func checkpointWhole() throws(LogError) {
        try settle()
        let code = checkpoint(SQLITE_CHECKPOINT_TRUNCATE)
        guard code == SQLITE_OK else { throw LogError(sqlite: code) }
    }

    /// The last. Failing is no loss: the WAL stays, and is read at the next start.
    func checkpointAll() { checkpoint(SQLITE_CHECKPOINT_TRUNCATE) }

    @discardableResult
    private func checkpoint(_ mode: Int32) -> Int32 {
        sqlite3_wal_checkpoint_v2(connection.handle, nil, mode, nil, nil)
    }

    /// See ``SessionLog/limitGrowth(pages:)``: a disk that is full, without needing one.
    func limitGrowth(pages: Int64?) {
        let used = (try? connection.integer("PRAGMA page_count")) ?? 0
        let limit = pages.map { used + $0 } ?? Int64(UInt32.max) - 1
        _ = try? connection.integer("PRAGMA max_page_count=\(limit)")
    }
}

extension Answer {
    fileprivate var isClaim: Bool { if case .claimed = self { true } else { false } }
}
