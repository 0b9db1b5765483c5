import Diagnostics
import SQLite
import SessionRecords

/// Copies the readable content of a damaged log into a new one.
///
/// For each session, the updates and entries before the first unreadable one are copied. The new file is another log
/// with another id, so that readers of the old log learn that they must reset.
package enum Rescue {
    /// The time limit for copying, because the start of the bridge waits for it. The newest sessions are copied first.
    /// Sessions that are not copied within the limit remain only in the damaged file.
    private static let patience = Duration.seconds(5)

    /// Creates the log in the empty file `fresh`, and copies sessions into it. Returns the number of copied sessions.
    package static func copy(from damaged: String, to fresh: LogFile) throws(LogError) -> Int {
        let connection = try LogError.wrapping { () throws(SQLiteError) in
            try Connection(path: fresh.path, .readWrite)
        }
        _ = try Schema.prepare(connection, path: fresh.path)
        // If the file's header is gone, nothing in the file can be read.
        return orLog("rescuing sessions", { try sessions(from: LogFile(path: damaged), to: connection, fresh) }) ?? 0
    }

    private static func sessions(
        from damaged: LogFile, to fresh: borrowing Connection, _ file: LogFile
    ) throws(SQLiteError) -> Int {
        let old = try Connection(path: damaged.path, .readDamaged)
        guard (1...Schema.version).contains(try old.integer("PRAGMA user_version")) else { return 0 }
        let outside = try? OutsideLines(from: damaged, to: file)
        let copies = try Copies(from: old, to: fresh, outside)
        let end = ContinuousClock.now + patience
        var count = 0
        try fresh.execute("BEGIN IMMEDIATE")
        for sid in sessions(in: old) where ContinuousClock.now < end && copies.copy(sid, until: end) { count += 1 }
        if let end = outside?.syncedEnd { try fresh.execute("UPDATE log SET lines_synced = \(end)") }
        try fresh.execute("COMMIT")
        return count
    }

    /// Copies lines outside of the tables.
    private final class OutsideLines {
        private let old: RunBuffer
        private let fresh: LinesFile
        private var end: Int64 = 0

        init(from damaged: LogFile, to file: LogFile) throws(LogError) {
            old = RunBuffer(try LinesFile(readOnly: damaged.linesPath))
            fresh = try LinesFile(path: file.linesPath)
        }

        /// Returns the place of the copy.
        func copy(size: Int64, from place: Int64) throws(SQLiteError) -> Int64 {
            let copy = end
            try fresh.write(try old.read(size: size, from: place), at: copy)
            end += size
            return copy
        }

        /// Syncs the copies, and returns their end; nil if that failed.
        var syncedEnd: Int64? {
            orLog("syncing rescued sessions") { () throws(LogError) in
                try fresh.sync(to: end)
                return end
            }
        }
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
        /// Nil for a log of an earlier version.
        private let spent: Copy?
        private let countUsage: Statement
        private let head: Statement
        private let forget: Statement

        init(
            from old: borrowing Connection, to fresh: borrowing Connection, _ outside: OutsideLines?
        ) throws(SQLiteError) {
            session = try Copy(old, fresh, "session", where: "sid = ?")
            epochs = try Copy(old, fresh, "epoch", where: "sid = ? ORDER BY epoch")
            runs = try Copy(old, fresh, "run", outside, where: "sid = ? ORDER BY first")
            scannedRuns = try Copy(
                old, fresh, "run", outside, hint: "NOT INDEXED", where: "sid = ?1 AND first >= ?2 ORDER BY id")
            entries = try Copy(old, fresh, "entry", where: "sid = ? ORDER BY n")
            // It is a probe: without the table there is nothing to copy.
            spent = try? Copy(old, fresh, "spent", where: "sid = ?")
            countUsage = try fresh.prepare(SpentSQL.fillOne)
            head = try fresh.prepare("SELECT max(first + count) FROM run WHERE sid = ?")
            forget = try fresh.prepare("DELETE FROM entry WHERE sid = ? AND at > ?")
        }

        /// Copies one session. Returns whether the new log now has the session.
        func copy(_ sid: Int64, until end: ContinuousClock.Instant) -> Bool {
            guard case .copied(1) = session.rows(of: sid) else { return false }
            _ = epochs.rows(of: sid)
            var next: Int64?
            func isNext(_ row: Statement) -> Bool {
                // A gap would shift the numbers after it.
                (next == nil || next == row.integer(1)) && row.integer(2) > 0 && ContinuousClock.now < end
            }
            func copied(_ row: Statement) { next = row.integer(1) &+ row.integer(2) }
            if case .damaged = runs.rows(of: sid, while: isNext, copied: copied) {
                // The rows can be intact although their index is damaged.
                _ = scannedRuns.rows(of: sid, from: next ?? 0, while: isNext, copied: copied)
            }
            _ = entries.rows(of: sid)
            copySpent(sid)
            let last = orLog("finding a session's end", { try head.first(.integer(sid)) { $0.integer(0) } }) ?? nil
            orLog("deleting lost entries") { try forget.run(.integer(sid), .integer(max(1, last ?? 1))) }
            return true
        }

        private func copySpent(_ sid: Int64) {
            if let spent {
                _ = spent.rows(of: sid)
            } else {
                orLog("counting a session's usage") { try countUsage.run(.integer(sid)) }
            }
        }
    }

    /// Copies rows of one table unchanged, except the places of lines outside of it.
    private struct Copy {
        private let select: Statement
        private let insert: Statement
        private let columnCount: Int32
        private let outside: OutsideLines?
        /// The columns of a run's place and size.
        private let place: (start: Int32, size: Int32)?

        init(
            _ old: borrowing Connection, _ fresh: borrowing Connection, _ table: String, _ outside: OutsideLines? = nil,
            hint: String = "", where condition: String
        ) throws(SQLiteError) {
            // A table of an earlier version has fewer columns.
            let ours = try Self.columns(of: table, in: fresh)
            let names = try Self.columns(of: table, in: old).filter { ours.contains($0) }
            columnCount = Int32(names.count)
            self.outside = outside
            if let start = names.firstIndex(of: "place"), let size = names.firstIndex(of: "size") {
                place = (Int32(start), Int32(size))
            } else {
                place = nil
            }
            let columns = names.joined(separator: ",")
            let places = names.map { _ in "?" }.joined(separator: ",")
            select = try old.prepare("SELECT \(columns) FROM \(table) \(hint) WHERE \(condition)")
            insert = try fresh.prepare("INSERT INTO \(table)(\(columns)) VALUES(\(places))")
        }

        /// All columns of the table, in order, except the row's own number, because the copy gets a new one.
        private static func columns(
            of table: String, in file: borrowing Connection
        ) throws(SQLiteError) -> [String] {
            let statement = try file.prepare("SELECT name FROM pragma_table_info('\(table)') WHERE name <> 'id'")
            var names: [String] = []
            while try statement.step() { if let name = statement.text(0) { names.append(name) } }
            return names
        }

        /// Copies lines outside of the tables, and returns their new place.
        private func newPlace(of row: Statement) throws(SQLiteError) -> (column: Int32, value: Int64)? {
            guard let place, !row.isNull(place.start) else { return nil }
            guard let outside else { throw .damaged }
            return (place.start, try outside.copy(size: row.integer(place.size), from: row.integer(place.start)))
        }

        enum Outcome {
            /// All wanted rows were copied. The value is their number.
            case copied(Int)
            case damaged
        }

        /// Copies rows until one cannot be read or is not wanted.
        func rows(
            of sid: Int64, from first: Int64? = nil, while isWanted: (Statement) -> Bool = { _ in true },
            copied: (Statement) -> Void = { _ in }
        ) -> Outcome {
            defer { select.reset() }
            do throws(SQLiteError) {
                try select.bind([.integer(sid)] + (first.map { [.integer($0)] } ?? []))
                var count = 0
                while try select.step(), isWanted(select) {
                    try insert.runCopying(select, columnCount, replacing: try newPlace(of: select))
                    copied(select)
                    count += 1
                }
                return .copied(count)
            } catch {
                return .damaged
            }
        }
    }
}
