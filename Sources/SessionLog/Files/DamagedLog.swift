import CSQLite
import Glibc

/// A log file that is damaged so far that it does not open: put aside, where a person finds it whole, and begun anew with
/// what can be read of it.
///
/// A session comes with its updates and entries up to the first that cannot be read. The new file is another log with
/// another id, so that readers who stood in the old one are told so.
struct DamagedLog {
    /// Where it lies now: `sessions.db.damaged`, or with a number behind that.
    let path: String
    /// How many sessions the new file has from it.
    private(set) var rescuedSessions = 0

    /// The newest sessions come first; what has not come by then stays in the damaged file alone. Whoever starts a
    /// bridge waits for this.
    private static let patience = Duration.seconds(5)
    private static let countLimit = 1000

    /// Under the log's lock, and while nobody has the file open.
    static func replace(_ file: LogFile, _ lock: LogLock) throws(LogError) -> DamagedLog {
        var damaged = DamagedLog(path: try putAside(file))
        lock.replaceDatabase(try LockedDatabase(path: file.path))
        let fresh = try Connection(path: file.path, .readWrite)
        _ = try Schema.prepare(fresh, path: file.path)
        // Of a file whose head is gone nothing can be read.
        damaged.rescuedSessions = (try? rescue(from: damaged.path, into: fresh)) ?? 0
        return damaged
    }

    private static func putAside(_ file: LogFile) throws(LogError) -> String {
        let names = ["\(file.path).damaged"] + (2...countLimit).map { "\(file.path).damaged-\($0)" }
        guard let name = names.first(where: { access($0, F_OK) != 0 }) else {
            throw LogError(sqlite: SQLITE_CORRUPT)
        }
        guard rename(file.path, name) == 0 else { throw .lastSystemError("rename", file.path) }
        // What was not in the file yet.
        rename(file.walPath, name + "-wal")
        rename(file.spoolPath, name + "-spool")
        unlink(file.path + "-shm")
        return name
    }

    // MARK: Taking over

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

    /// Those that can be found from either end of the table, the newest first.
    private static func sessions(in old: borrowing Connection) -> [Int64] {
        var found: Set<Int64> = []
        for order in ["ASC", "DESC"] {
            guard let statement = try? old.prepare("SELECT sid FROM session ORDER BY sid \(order)") else { continue }
            while (try? statement.step()) == true { found.insert(statement.integer(0)) }
        }
        return found.sorted(by: >)
    }

    /// The statements that take over one session's rows.
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

        /// Whether there is something of it now.
        func take(_ sid: Int64) -> Bool {
            guard case .copied(1) = session.rows(of: sid) else { return false }
            _ = epochs.rows(of: sid)
            var next: Int64?
            func isNext(_ row: Statement) -> Bool {
                // A hole would shift the numbers behind it.
                guard next == nil || next == row.integer(1), row.integer(2) > 0 else { return false }
                next = row.integer(1) &+ row.integer(2)
                return true
            }
            if case .damaged = runs.rows(of: sid, while: isNext) {
                // The rows may be whole where their index is not.
                _ = scannedRuns.rows(of: sid, from: next ?? 0, while: isNext)
            }
            _ = entries.rows(of: sid)
            let end = try? head.first(.integer(sid)) { $0.integer(0) }
            try? forget.run(.integer(sid), .integer(max(1, (end ?? nil) ?? 1)))
            return true
        }
    }

    /// Rows of one table, as they are.
    private struct Copy {
        private let select: Statement
        private let insert: Statement
        private let columnCount: Int32

        init(
            _ old: borrowing Connection, _ fresh: borrowing Connection, _ table: String, hint: String = "",
            where condition: String
        ) throws(LogError) {
            // A file of an earlier version has fewer.
            let ours = try Self.columns(of: table, in: fresh)
            let names = try Self.columns(of: table, in: old).filter { ours.contains($0) }
            columnCount = Int32(names.count)
            let columns = names.joined(separator: ",")
            let places = names.map { _ in "?" }.joined(separator: ",")
            select = try old.prepare("SELECT \(columns) FROM \(table) \(hint) WHERE \(condition)")
            insert = try fresh.prepare("INSERT INTO \(table)(\(columns)) VALUES(\(places))")
        }

        /// All that the table has, in its order, but for a row's own number, which is given anew.
        private static func columns(
            of table: String, in file: borrowing Connection
        ) throws(LogError) -> [String] {
            let statement = try file.prepare("SELECT name FROM pragma_table_info('\(table)') WHERE name <> 'id'")
            var names: [String] = []
            while try statement.step() { if let name = statement.text(0) { names.append(name) } }
            return names
        }

        enum Outcome {
            /// So many, which are all that were wanted.
            case copied(Int)
            case damaged
        }

        /// Copies until one cannot be read or is not wanted.
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
