import Diagnostics
import SQLite
import SessionRecords

/// The only connection that writes. It also makes the checkpoints: SQLite before 3.51.3 can damage the file when
/// another connection makes them (<https://sqlite.org/wal.html>).
package final class WriteConnection {
    let connection: Connection
    let statements: WriteStatements
    package private(set) var logId: UInt32
    /// True if opening has created the log.
    package let isNew: Bool
    package internal(set) var sessions = ClaimedSessions()
    package let wal: WalHealth
    /// True if everything that opening has written is on disk.
    private var isSettled = false
    /// Until it is on disk.
    private var newLog: NewLog?
    /// True after a claim that was stored, but could not be put on disk.
    private var hasUnconfirmedClaim = false

    package internal(set) var outside: OutsideLines

    var clock: RetentionClock
    /// True if this bridge ships to a hub.
    var notesDeletions = false
    /// The sessions that have been appending, counting commits and attempts.
    var use = LogUse()
    /// The length of the WAL that makes a checkpoint due: 4 MB, which keeps a checkpoint short.
    private static let checkpointBytes: Int64 = 4_000_000
    /// Used while several sessions append, because one session's appends then wait for the checkpoints that another
    /// makes due. Such a checkpoint syncs about this much.
    private static let sharedCheckpointBytes: Int64 = 1_000_000
    /// The file's page size.
    let pageBytes: Int64

    /// The connection's knowledge that is not in the file.
    package struct Leftovers {
        fileprivate let sessions: ClaimedSessions
        fileprivate let lines: LinesFile
        fileprivate let use: LogUse
        fileprivate let clock: RetentionClock
        fileprivate let notesDeletions: Bool
        fileprivate let walFailure: SyncFailure
    }

    package var leftovers: Leftovers {
        Leftovers(
            sessions: sessions, lines: outside.file, use: use, clock: clock, notesDeletions: notesDeletions,
            walFailure: wal.failure)
    }

    /// Opens without a sync, so that opening is quick. `settle()` must follow, and before it, without leftovers,
    /// ``recover(_:now:)``.
    ///
    /// - Parameters:
    ///   - leftovers: From the previous connection in the same process. If they are given, no session has crashed.
    ///   - descriptor: The log's file, open until this connection is closed. With it, a new log is written without SQL.
    package init(
        file: LogFile, durability: Durability, descriptor: Int32? = nil, continuing leftovers: Leftovers? = nil
    ) throws(LogError) {
        newLog = if let descriptor { try NewLog(file, descriptor: descriptor) } else { nil }
        connection = try LogError.wrapping { () throws(SQLiteError) in
            let connection = try Connection(path: file.path, .readWrite)
            // Without a sync of the WAL before it, a checkpoint would not be safe from a power cut.
            try connection.execute("PRAGMA synchronous=OFF")
            return connection
        }
        isNew = newLog != nil ? true : try Schema.prepare(connection, path: file.path)
        let places: StoredPlaces
        do throws(SQLiteError) {
            // Checkpoints are made at times when no request waits for them.
            try connection.countWALPages()
            if let newLog {
                // The start need not wait for statements.
                (logId, pageBytes, places) = (newLog.id, Int64(Schema.pageBytes), StoredPlaces())
            } else {
                logId = UInt32(truncatingIfNeeded: try connection.integer("SELECT id FROM log"))
                pageBytes = try connection.integer("PRAGMA page_size")
                places = try StoredPlaces(connection)
            }
            statements = WriteStatements(connection)
            if leftovers != nil { try connection.execute("UPDATE log SET opened = opened") }
        } catch {
            throw LogError(error)
        }
        wal = try WalHealth(path: file.walPath, durability, continuing: leftovers?.walFailure)
        if isNew { try LinesFile.putAside(file.linesPath) }
        let lines = if let leftovers { leftovers.lines } else { try LinesFile(path: file.linesPath) }
        outside = OutsideLines(lines, places, isContinued: leftovers != nil)
        clock = leftovers?.clock ?? RetentionClock()
        if let leftovers {
            (sessions, use, notesDeletions) = (leftovers.sessions, leftovers.use, leftovers.notesDeletions)
        }
    }

    /// Brings the file into order after the process that had it open before: stores its last appends, and ends the
    /// incarnations that it left live because it was killed. Finds damage.
    ///
    /// - Parameter appends: Appends that a killed process had only in the spool. Appends that the log already has are
    ///   refused by their numbers.
    /// - Parameter marksInterruptions: Also stores the end of the agent in the timeline of each such incarnation.
    package func recover(
        _ appends: [SpooledAppend], marksInterruptions: Bool = false, now: Int64
    ) throws(LogError) {
        do throws(SQLiteError) {
            // A log that was written as bytes has nothing to bring into order.
            guard newLog == nil else { return }
            try outside.deleteLostRuns(connection)
            try applySpooled(appends)
            if marksInterruptions {
                orLog("storing the ends of interrupted sessions") { () throws(SQLiteError) in try interruptLives() }
            }
            // The steps above have read sessions that are not claimed yet.
            sessions = ClaimedSessions()
            try endLives(now: now)
            if !isNew { try probe() }
        } catch {
            throw LogError(error)
        }
    }

    /// Gives the log a new id, because a hub has another log with its id. Journals of before are those of another log.
    package func renewId() throws(LogError) {
        let id = UInt32.random(in: .min ... .max)
        do throws(SQLiteError) {
            try connection.execute("UPDATE log SET id = \(id)")
        } catch {
            throw LogError(error)
        }
        logId = id
    }

    /// Performs the operations that every session needs, and rolls them back. If the file is damaged so that these
    /// operations fail, they would fail for all sessions, and a new file is better. Costs less than a millisecond.
    private func probe() throws(SQLiteError) {
        defer { connection.rollBack() }
        do throws(SQLiteError) {
            try checkNewFile()
            try statements.begin.run()
            try statements.insertSession.run(.text(""), .text(""), .integer(0), .null)
            let sid = Statement.Value.integer(connection.lastInsertedRow)
            try statements.insertEpoch.run(sid, .integer(1), .integer(1))
            try statements.insertRun.run(
                sid, .integer(1), .integer(1), .integer(0), .null, .integer(0), .null, .null, bytes: [])
            try statements.insertEntry.run(
                sid, .integer(1), .integer(1), .integer(0), .text(""), .integer(0), bytes: [])
            _ = try connection.prepare(RecordSQL.recent).all(.integer(Self.probedSessions), .null) { $0.integer(0) }
        } catch {
            // Other faults of the disk can be temporary, and the first commit reports them.
            guard error.isDamage else { return }
            throw error
        }
    }

    /// A power cut can leave zeros in place of pages of a file that was not on disk yet. Such a log has no session, and a file
    /// without sessions is small.
    private func checkNewFile() throws(SQLiteError) {
        guard try connection.integer("SELECT EXISTS(SELECT 1 FROM session)") == 0 else { return }
        guard try connection.prepare("PRAGMA quick_check").first(read: { $0.text(0) }) == "ok" else { throw .corrupt }
    }

    /// About as many sessions as people look at in a listing.
    private static let probedSessions: Int64 = 100

    /// Applies the settings that are used from now on, and syncs to disk everything that opening has written: the file,
    /// its WAL and their names in the folder. Call this before anything is committed. No claim is answered before this
    /// call has succeeded.
    package func settle() throws(LogError) {
        guard !isSettled else { return }
        // Those of a killed process.
        try outside.file.sync()
        try newLog?.sync()
        newLog = nil
        if !isNew { try wal.writeAgain() }
        try wal.syncIfItHasFailed()
        try LogError.wrapping { () throws(SQLiteError) in
            // The limit keeps one large transaction from leaving a large WAL.
            try connection.execute(
                """
                PRAGMA synchronous=\(wal.durability == .full ? "FULL" : "NORMAL");
                PRAGMA journal_size_limit=16777216
                """)
            // The checkpoint syncs the WAL and the file. The first sync of a file that SQLite has created includes the
            // folder.
            try wal.checkpoint(connection, .passive)
        }
        isSettled = true
    }

    private func applySpooled(_ appends: [SpooledAppend]) throws(SQLiteError) {
        guard !appends.isEmpty else { return }
        try transaction { () throws(SQLiteError) in
            for append in appends {
                guard let sid = append.operation.sid else { continue }
                if sessions[sid] == nil { sessions[sid] = try lastClaim(of: sid)?.session }
                // The log can already have an append of entries alone. Such an append does not change the number of the last
                // update, so the timeline's numbers are compared.
                if let before = append.timelineHead, let session = sessions[sid], session.timelineHead > before {
                    continue
                }
                _ = try apply(append.operation)
            }
        }
    }

    /// Stores an entry in the timeline of each session that a killed process left live. Readers of the timeline then see that
    /// its agent, its turn and its requests have ended.
    private func interruptLives() throws(SQLiteError) {
        let lives = try connection.prepare(Self.lives).all { (sid: $0.integer(0), ts: $0.integer(1)) }
        guard !lives.isEmpty else { return }
        try transaction { () throws(SQLiteError) in
            for (sid, ts) in lives {
                guard let session = try lastClaim(of: sid)?.session else { continue }
                sessions[sid] = session
                _ = try append(
                    sid: sid, epoch: session.epoch, after: session.head, items: [.interruption(ts: ts)])
            }
        }
    }

    /// The live sessions with the time of their last item. A session whose last item is the end of its agent needs no other.
    private static let lives = """
        SELECT s.sid, max(s.created, coalesce(r.ts, 0), coalesce(e.ts, 0)) FROM session s \(LastRows.join)
        WHERE s.settled = 0 AND s.live = 1 AND NOT (coalesce(e.kind, '') = '\(LogItem.exitKind)' AND e.at > \(LastRows.head))
        """

    /// Ends the incarnations that a killed process left live.
    private func endLives(now: Int64) throws(SQLiteError) {
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

    /// Commits the operations and returns their answers. `nil` means a trim, which is answered later.
    ///
    /// - Parameter failure: The reason why earlier appends, already answered, are not in the log yet. Operations that
    ///   must come after those appends fail with this error.
    package func commit(_ operations: [WriteRequest.Operation], behind failure: LogError? = nil) -> [Answer?] {
        guard let failure else { return commitConfirming(operations) }
        return operations.flatMap { $0.comesBehindAppends ? [.failed(failure)] : commit([$0]) }
    }

    /// Commits appends that were answered before, those of each session together. Returns the refusals.
    package func transfer(_ operations: [WriteRequest.Operation]) throws(LogError) -> [LogError] {
        let answers = try LogError.wrapping { () throws(SQLiteError) in
            try transaction { () throws(SQLiteError) in try apply(operations.joiningAppends()) }
        }
        return answers.compactMap { if case .failed(let error) = $0 { error } else { nil } }
    }

    /// Commits all operations in one transaction. If that fails, commits each operation separately, so that no request
    /// fails because of another.
    private func store(_ operations: [WriteRequest.Operation]) -> [Answer?] {
        if operations.count == 1, let answer = storeAlone(operations[0]) { return [answer] }
        if let answers = try? transaction({ () throws(SQLiteError) in try apply(operations) }) { return answers }
        return operations.map { operation in
            do throws(SQLiteError) {
                return try transaction { () throws(SQLiteError) in try apply(operation) }
            } catch {
                return .failed(LogError(error))
            }
        }
    }

    /// Stores a single row without an explicit transaction. SQLite then makes a transaction itself, which takes half
    /// the time. Returns nil if the operation needs more than one row, or failed. Then nothing was stored.
    func storeAlone(_ operation: WriteRequest.Operation) -> Answer? {
        guard case .append(let sid, _, _, let items) = operation, items.count == 1,
            items[0].byteCount <= TableAllowance.smallestRun, sessions[sid]?.isSettled == false
        else { return nil }
        do throws(SQLiteError) {
            let answer = try apply(operation)
            sessions.commit()
            return answer
        } catch {
            connection.rollBack()
            sessions.rollBack()
            return nil
        }
    }

    /// After a claim that could not be put on disk, further ones are stored only when the disk works again: each attempt would
    /// leave an incarnation.
    private func commitConfirming(_ operations: [WriteRequest.Operation]) -> [Answer?] {
        guard hasUnconfirmedClaim, operations.contains(where: \.isClaim) else {
            return confirmClaims(in: store(operations))
        }
        do throws(LogError) {
            try putOnDisk()
            hasUnconfirmedClaim = false
            return confirmClaims(in: store(operations))
        } catch {
            return operations.flatMap { $0.isClaim ? [.failed(error)] : store([$0]) }
        }
    }

    /// Puts claims on disk before they are answered. If a power cut took a claim back, the next claim would use the
    /// same journal for another history. This runs after the commit, so a failure here fails only the claims. All other
    /// operations of the commit stay stored.
    private func confirmClaims(in answers: [Answer?]) -> [Answer?] {
        guard answers.contains(where: { $0?.isClaim == true }) else { return answers }
        do throws(LogError) {
            try putOnDisk()
            return answers
        } catch {
            hasUnconfirmedClaim = true
            return answers.map { $0?.isClaim == true ? .failed(error) : $0 }
        }
    }

    private func putOnDisk() throws(LogError) {
        try settle()
        try wal.sync()
    }

    func transaction<Result>(_ body: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
        let result: Result
        do throws(SQLiteError) {
            try statements.begin.run()
            result = try body()
            try outside.prepareCommit(connection, wal.durability)
            try statements.commit.run()
        } catch {
            connection.rollBack()
            sessions.rollBack()
            outside.rolledBack()
            throw error
        }
        sessions.commit()
        outside.committed()
        return result
    }

    private func apply(_ operations: [WriteRequest.Operation]) throws(SQLiteError) -> [Answer?] {
        var answers: [Answer?] = []
        answers.reserveCapacity(operations.count)
        for operation in operations { answers.append(try apply(operation)) }
        return answers
    }

    private func apply(_ operation: WriteRequest.Operation) throws(SQLiteError) -> Answer? {
        switch operation {
        case .claim(let agent, let sessionId, let mode, let facts):
            try claim(agent: agent, sessionId: sessionId, mode: mode, facts: facts)
        case .append(let sid, let epoch, let after, let items):
            try append(sid: sid, epoch: epoch, after: after, items: items)
        case .describe(let sid, let facts): try describe(sid: sid, facts: facts)
        case .label(let sid, let change): try label(sid: sid, change)
        case .delete(let sid): try delete(sid: sid)
        case .noteDeletions(let sids): try noteDeletions(sids)
        case .forgetDeletions(let sids): try forgetDeletions(sids)
        case .retain(let retention): try retain(retention)
        case .trim: nil
        }
    }

    // MARK: Checkpoints

    /// Moves the WAL into the file if the WAL has grown long, as far as no reader needs it. A failure loses nothing:
    /// the WAL grows, and the next commit makes the next checkpoint due.
    package func checkpointIfDue() {
        guard isCheckpointDue, wal.failure.error == nil, newLog == nil else { return }
        connection.walPages = 0
        orLog("moving the WAL into the log") { () throws(SQLiteError) in try wal.checkpoint(connection, .passive) }
    }

    var isCheckpointDue: Bool {
        Int64(connection.walPages) * pageBytes >= (use.isShared ? Self.sharedCheckpointBytes : Self.checkpointBytes)
    }

    /// Moves the whole WAL into the file, and syncs both to disk.
    package func checkpointWhole() throws(LogError) {
        try settle()
        try outside.sync(connection)
        try wal.syncIfItHasFailed()
        try LogError.wrapping { () throws(SQLiteError) in try wal.checkpoint(connection, .truncate) }
    }

    /// Makes the last checkpoint. A failure loses nothing: the WAL stays, and the next start reads it.
    package func checkpointAll() {
        orLog("syncing the last updates") { () throws(LogError) in try outside.sync(connection) }
        orLog("syncing the log") { () throws(LogError) in try wal.syncIfItHasFailed() }
        if newLog != nil { orLog("syncing the new log") { () throws(LogError) in try settle() } }
        guard wal.failure.error == nil, newLog == nil else { return connection.keepWALWhenClosed() }
        orLog("making the last checkpoint") { () throws(SQLiteError) in try wal.checkpoint(connection, .truncate) }
    }

    /// Gives the space of some deleted runs back to the disk: see ``OutsideLines``.
    package func freeLines() throws(LogError) { try outside.free(connection, wal) }

    /// Copies the whole content into the empty file at `path`, without a sync. When this returns, its connection is
    /// closed, and SQLite's locks on the copy are dropped.
    package func copy(toFile path: String) throws(LogError) {
        try LogError.wrapping { () throws(SQLiteError) in
            let copy = try Connection(path: path, .readWrite)
            try copy.execute("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF")
            try connection.copy(to: copy)
        }
    }

    /// For tests: sets how many bytes of large runs the tables take at once.
    package func limitTables(bytes: Int) { outside.limitTables(bytes: bytes) }

    /// For tests: simulates a disk with room for `pages` more pages. Nil removes the limit.
    package func limitGrowth(pages: Int64?) {
        let used = (try? connection.integer("PRAGMA page_count")) ?? 0
        let limit = pages.map { used + $0 } ?? Int64(UInt32.max) - 1
        _ = try? connection.integer("PRAGMA max_page_count=\(limit)")
        outside.file.limitGrowth(bytes: pages.map { $0 * pageBytes })
    }
}

extension Answer {
    fileprivate var isClaim: Bool { if case .claimed = self { true } else { false } }
}
