import CSQLite
import Glibc

/// A log file that is too damaged to be opened. It is renamed, so that a person can examine it whole, and replaced by a
/// new log with its readable content.
///
/// For each session, the updates and entries before the first unreadable one are copied. The new file is another log
/// with another id, so that readers of the old log learn that they must reset.
struct DamagedLog {
    /// The damaged file's present path: `sessions.db.damaged`, or `sessions.db.damaged-` with a number.
    let path: String
    /// The number of sessions that were copied to the new file.
    private(set) var rescuedSessions = 0

    /// The time limit for copying, because the start of the bridge waits for it. The newest sessions are copied first.
    /// Sessions that are not copied within the limit remain only in the damaged file.
    private static let patience = Duration.seconds(5)
    private static let countLimit = 1000

    /// Renames the damaged file and creates a new one. Call this under the log's lock, and only if no connection has
    /// the file open.
    static func replace(_ file: LogFile, _ lock: LogLock) throws(LogError) -> DamagedLog {
        var damaged = DamagedLog(path: try putAside(file))
        lock.replaceDatabase(try LockedDatabase(path: file.path))
        let fresh = try Connection(path: file.path, .readWrite)
        _ = try Schema.prepare(fresh, path: file.path)
        // If the file's header is gone, nothing in the file can be read.
        damaged.rescuedSessions = (try? rescue(from: damaged.path, into: fresh)) ?? 0
        return damaged
    }

    private static func putAside(_ file: LogFile) throws(LogError) -> String {
        let names = ["\(file.path).damaged"] + (2...countLimit).map { "\(file.path).damaged-\($0)" }
        guard let name = names.first(where: { access($0, F_OK) != 0 }) else {
            throw LogError(sqlite: SQLITE_CORRUPT)
        }
        guard rename(file.path, name) == 0 else { throw .lastSystemError("rename", file.path) }
        // The WAL and the spool hold data that was not in the file yet.
        rename(file.walPath, name + "-wal")
        rename(file.spoolPath, name + "-spool")
        unlink(file.path + "-shm")
        return name
    }

    // MARK: Copying sessions

    private static func rescue(from path: String, into fresh: borrowing Connection) throws(LogError) -> Int {
        let old = try Connection(path: path, .readDamaged)
        guard (1...Schema.version).contains(try old.integer("PRAGMA user_version")) else { return 0 }
        let copies = try Copies(from: old, to: fresh)
        let end = ContinuousClock.now + patience
        var count = 0
        try fresh.execute("BEGIN IMMEDIATE")
        for sid in sessions(in: old) where ContinuousClock.now < end && copies.take(sid) { count += 1 }
        try fresh.execute("COMMIT")
        return count
    }

    /// Returns the sessions that can be read from either end of the table, the newest first.
    private static func sessions(in old: borrowing Connection) -> [Int64] {
        var found: Set<Int64> = []
        for order in ["ASC", "DESC"] {
            guard let statement = try? old.prepare("SELECT sid FROM session ORDER BY sid \(order)") else { continue }
            while (try? statement.step()) == true { found.insert(statement.integer(0)) }
        }
        return found.sorted(by: >)
    }

    /// The statements that copy one session's rows.
    private struct Copies {
        private let session: Copy
        private let epochs: Copy
        private let runs: Copy
        private let scannedRuns: Copy
        private let entries: Copy
        private let head: Statement
        private let forget: Statement

        init(from old: borrowing Connection, to fresh: borrowing Connection) throws(LogError) {
            session = try Copy(old, fresh, "session", where: "sid = ?")
            epochs = try Copy(old, fresh, "epoch", where: "sid = ? ORDER BY epoch")
            runs = try Copy(old, fresh, "run", where: "sid = ? ORDER BY first")
            scannedRuns = try Copy(
                old, fresh, "run", hint: "NOT INDEXED", where: "sid = ?1 AND first >= ?2 ORDER BY id")
            entries = try Copy(old, fresh, "entry", where: "sid = ? ORDER BY n")
            head = try fresh.prepare("SELECT max(first + count) FROM run WHERE sid = ?")
            forget = try fresh.prepare("DELETE FROM entry WHERE sid = ? AND at > ?")
        }

        /// Copies one session. Returns whether the new log now has the session.
        func take(_ sid: Int64) -> Bool {
            guard case .copied(1) = session.rows(of: sid) else { return false }
            _ = epochs.rows(of: sid)
            var next: Int64?
            func isNext(_ row: Statement) -> Bool {
                // A gap would shift the numbers after it.
                guard next == nil || next == row.integer(1), row.integer(2) > 0 else { return false }
                next = row.integer(1) &+ row.integer(2)
                return true
            }
            if case .damaged = runs.rows(of: sid, while: isNext) {
                // The rows can be intact although their index is damaged.
                _ = scannedRuns.rows(of: sid, from: next ?? 0, while: isNext)
            }
            _ = entries.rows(of: sid)
            let end = try? head.first(.integer(sid)) { $0.integer(0) }
            try? forget.run(.integer(sid), .integer(max(1, (end ?? nil) ?? 1)))
            return true
        }
    }

    /// Copies rows of one table unchanged.
    private struct Copy {
        private let select: Statement
        private let insert: Statement
        private let columnCount: Int32

        init(
            _ old: borrowing Connection, _ fresh: borrowing Connection, _ table: String, hint: String = "",
            where condition: String
        ) throws(LogError) {
            // A table of an earlier version has fewer columns.
            let ours = try Self.columns(of: table, in: fresh)
            let names = try Self.columns(of: table, in: old).filter { ours.contains($0) }
            columnCount = Int32(names.count)
            let columns = names.joined(separator: ",")
            let places = names.map { _ in "?" }.joined(separator: ",")
            select = try old.prepare("SELECT \(columns) FROM \(table) \(hint) WHERE \(condition)")
            insert = try fresh.prepare("INSERT INTO \(table)(\(columns)) VALUES(\(places))")
        }

        /// All columns of the table, in order, except the row's own number, because the copy gets a new one.
        private static func columns(
            of table: String, in file: borrowing Connection
        ) throws(LogError) -> [String] {
            let statement = try file.prepare("SELECT name FROM pragma_table_info('\(table)') WHERE name <> 'id'")
            var names: [String] = []
            while try statement.step() { if let name = statement.text(0) { names.append(name) } }
            return names
        }

        enum Outcome {
            /// All wanted rows were copied. The value is their number.
            case copied(Int)
            case damaged
        }

        /// Copies rows until one cannot be read or is not wanted.
        func rows(
            of sid: Int64, from first: Int64? = nil, while isWanted: (Statement) -> Bool = { _ in true }
        ) -> Outcome {
            defer { select.reset() }
            do throws(LogError) {
                try select.bind([.integer(sid)] + (first.map { [.integer($0)] } ?? []))
                var count = 0
                while try select.step(), isWanted(select) {
                    try insert.runCopying(select, columnCount)
                    count += 1
                }
                return .copied(count)
            } catch {
                return .damaged
            }
        }
    }
}
