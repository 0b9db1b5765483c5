import CSQLite

/// The only connection that writes, on the writer's thread. It checkpoints too: SQLite before 3.51.3 may damage the
/// file when another connection does (<https://sqlite.org/wal.html>).
final class WriteConnection {
    let connection: Connection
    let statements: WriteStatements
    let logId: UInt32
    var sessions = ClaimedSessions()
    /// Under ``Durability/normal``: to put a claim on disk before it is answered.
    private let wal: WalFile?
    private let durability: Durability
    /// What opening has written is on disk.
    private var isSettled = false

    /// Nothing is synced here, so that opening is quick: `settle()` is to follow.
    init(file: LogFile, durability: Durability, now: Int64) throws(LogError) {
        self.durability = durability
        connection = try Connection(path: file.path, .readWrite)
        // Without a sync of the WAL before it, a checkpoint would not be safe from a power cut.
        try connection.execute("PRAGMA synchronous=OFF")
        try Schema.prepare(connection, path: file.path)
        try connection.execute("PRAGMA wal_autocheckpoint=0")
        logId = UInt32(truncatingIfNeeded: try connection.integer("SELECT id FROM log"))
        try Self.recover(connection, now: now)
        statements = try WriteStatements(connection)
        wal = durability == .normal ? try WalFile(path: file.walPath) : nil
    }

    /// Puts on disk what opening has written, the file, its WAL and their names in the folder, and the settings in force
    /// that hold from then on. To be called before anything is committed; no claim is answered before it has succeeded.
    func settle() throws(LogError) {
        guard !isSettled else { return }
        // A checkpoint every 4 MB of WAL keeps each short; one large transaction does not leave a large file behind.
        try connection.execute(
            """
            PRAGMA synchronous=\(durability == .full ? "FULL" : "NORMAL");
            PRAGMA wal_autocheckpoint=1000; PRAGMA journal_size_limit=16777216
            """)
        // It syncs the WAL and the file. The first sync of a file that SQLite has created includes the folder.
        let code = sqlite3_wal_checkpoint_v2(connection.handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        guard code == SQLITE_OK else { throw LogError(sqlite: code) }
        isSettled = true
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
    func commit(_ operations: [WriteRequest.Operation]) -> [Answer?] {
        confirmClaims(in: store(operations))
    }

    /// Everything in one transaction; if that fails, each in its own, so that no request fails for another's sake.
    private func store(_ operations: [WriteRequest.Operation]) -> [Answer?] {
        if let answers = try? transaction({ () throws(LogError) in try apply(operations) }) { return answers }
        return operations.map { operation in
            do throws(LogError) {
                return try transaction { () throws(LogError) in try apply(operation) }
            } catch {
                return .failed(error)
            }
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

    /// Brings the WAL into the file. Failing is no loss: the WAL stays, and is read at the next start.
    func checkpoint() {
        sqlite3_wal_checkpoint_v2(connection.handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    }

    /// See ``Writer/Job``: a disk that is full, without needing one.
    func limitGrowth(pages: Int64?) {
        let used = (try? connection.integer("PRAGMA page_count")) ?? 0
        let limit = pages.map { used + $0 } ?? Int64(UInt32.max) - 1
        _ = try? connection.integer("PRAGMA max_page_count=\(limit)")
    }
}

extension Answer {
    fileprivate var isClaim: Bool { if case .claimed = self { true } else { false } }
}
