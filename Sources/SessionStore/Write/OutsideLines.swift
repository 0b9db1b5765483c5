import SQLite
import SessionRecords

/// The state of the file of floods (``LinesFile``), according to the tables.
struct StoredPlaces {
    /// The end of all places that a row refers to.
    let end: Int64
    /// Lines before this place are on disk.
    let synced: Int64
    let hasFreed: Bool

    /// Those of a new log.
    init() { (end, synced, hasFreed) = (0, 0, false) }

    init(_ connection: borrowing Connection) throws(SQLiteError) {
        let places = try connection.prepare(
            """
            SELECT lines_synced, (SELECT place + size FROM freed WHERE \(Self.isPossible) ORDER BY place DESC LIMIT 1),
                (SELECT place + size FROM run WHERE \(Self.isPossible) ORDER BY place DESC LIMIT 1)
            FROM log
            """
        ).first { (synced: $0.integer(0), freed: $0.integer(1), run: $0.integer(2)) }
        guard let places else { throw .damaged }
        synced = min(max(0, places.synced), LinesFile.largestPlace)
        hasFreed = places.freed > 0
        end = max(synced, places.freed, places.run)
    }

    /// Other numbers are damaged, and their rows count as unreadable.
    static let isPossible =
        "place BETWEEN 0 AND \(LinesFile.largestPlace) AND size BETWEEN 1 AND \(Int32.max)"

    /// The bytes of a row of `run`. A damaged number counts as 0.
    static let size =
        "CASE WHEN place IS NULL THEN length(lines) WHEN size BETWEEN 0 AND \(Int32.max) THEN size ELSE 0 END"
}

/// The writer's part of the lines that are stored outside of the tables: decides which lines are, writes and syncs them with
/// their transaction, and gives their space back after their rows were deleted.
package struct OutsideLines {
    package let file: LinesFile
    /// The place for the next lines.
    private var end: Int64
    private var allowance = TableAllowance(now: .now)
    /// Lines before this place were on disk when this was stored.
    private var storedSyncedEnd: Int64
    /// The same before the running transaction.
    private var committedSyncedEnd: Int64
    /// The table `freed` can have rows.
    package internal(set) var hasFreed: Bool

    /// - Parameter isContinued: true if a connection of this process has used the file before.
    init(_ file: LinesFile, _ places: StoredPlaces, isContinued: Bool) {
        self.file = file
        if !isContinued { file.begin(end: places.end, synced: places.synced) }
        (end, storedSyncedEnd, committedSyncedEnd) = (file.committedEnd, places.synced, places.synced)
        hasFreed = places.hasFreed
    }

    // MARK: Writing

    /// Returns true if these lines are stored outside of the tables.
    mutating func takes(_ lines: ArraySlice<UInt8>) -> Bool {
        guard lines.count > TableAllowance.smallestRun, file.takesLines(at: end) else { return false }
        return !allowance.take(lines.count, at: .now)
    }

    /// Appends the lines of a large run. Returns their place.
    mutating func write(_ bytes: ArraySlice<UInt8>) throws(SQLiteError) -> Int64 {
        let place = end
        // This method of a slice does not pass the error's type on.
        let result = bytes.withUnsafeBytes { [file] (bytes) -> Result<Void, SQLiteError> in
            Result { () throws(SQLiteError) in try file.write(bytes, at: place) }
        }
        try result.get()
        end += Int64(bytes.count)
        return place
    }

    /// Prepares a commit.
    mutating func prepareCommit(_ connection: borrowing Connection, _ durability: Durability) throws(SQLiteError) {
        guard end > file.committedEnd else { return }
        if durability == .full { try syncWritten() }
        guard file.syncedEnd - storedSyncedEnd >= Self.checkedBytes else { return }
        try storeSyncedEnd(connection)
    }

    mutating func committed() {
        file.committed(to: end)
        committedSyncedEnd = storedSyncedEnd
    }

    mutating func rolledBack() {
        file.rolledBack()
        (end, storedSyncedEnd) = (file.committedEnd, committedSyncedEnd)
    }

    /// For tests: sets how many bytes of large runs the tables take at once.
    mutating func limitTables(bytes: Int) { allowance = TableAllowance(most: bytes, now: .now) }

    // MARK: Syncing

    /// Puts all lines on disk that were written, also those of the running transaction.
    func syncWritten() throws(SQLiteError) {
        do throws(LogError) { try file.sync(to: end) } catch { throw .syncFailed }
    }

    /// 16 MiB: about the most that opening checks after a kill (``deleteLostRuns(_:)``), besides what was not synced.
    private static let checkedBytes: Int64 = 16 << 20

    /// Syncs all lines and stores that, so that the next start has nothing to check. Call this outside of a transaction.
    mutating func sync(_ connection: borrowing Connection) throws(LogError) {
        try file.sync()
        guard file.syncedEnd > storedSyncedEnd else { return }
        do throws(SQLiteError) { try storeSyncedEnd(connection) } catch { throw LogError(error) }
        committedSyncedEnd = storedSyncedEnd
    }

    private mutating func storeSyncedEnd(_ connection: borrowing Connection) throws(SQLiteError) {
        let end = file.syncedEnd
        try connection.prepare("UPDATE log SET lines_synced = ?1").run(.integer(end))
        storedSyncedEnd = end
    }

    // MARK: After a power cut

    private struct OutsideRun {
        let sid: Int64
        let first: Int64
        let place: Int64
        let size: Int64
        let sum: Int64
    }

    /// Deletes runs whose rows a power cut has left although it took their lines, and what followed them in the
    /// session. These updates were never synced. Without this, the session would seem to be damaged.
    ///
    /// A row that is older than its session's last claim is left alone, because everything before a claim was synced. Such
    /// a row is damaged.
    mutating func deleteLostRuns(_ connection: borrowing Connection) throws(SQLiteError) {
        guard file.committedEnd > file.syncedEnd else { return }
        let unsynced = try connection.prepare(
            "SELECT sid, first, place, size, sum FROM run WHERE place >= ?1 AND place < ?2 ORDER BY place"
        ).all(.integer(file.syncedEnd), .integer(file.committedEnd)) {
            OutsideRun(
                sid: $0.integer(0), first: $0.integer(1), place: $0.integer(2), size: $0.integer(3), sum: $0.integer(4))
        }
        let buffer = RunBuffer(file)
        for run in unsynced where Self.isLost(run, buffer) { try delete(run, connection) }
    }

    /// Returns false also if the lines cannot be read for another reason. Then they stay, and readers get that error.
    private static func isLost(_ run: OutsideRun, _ buffer: RunBuffer) -> Bool {
        do throws(SQLiteError) {
            return Int64(CRC32C.of(try buffer.read(size: run.size, from: run.place))) != run.sum
        } catch {
            return error.isDamage
        }
    }

    private mutating func delete(_ run: OutsideRun, _ connection: borrowing Connection) throws(SQLiteError) {
        let values: [Statement.Value] = [.integer(run.sid), .integer(run.first)]
        let isUnclaimed = "?2 >= (SELECT max(first) FROM epoch WHERE sid = ?1)"
        for sql in [
            "DELETE FROM entry WHERE sid = ?1 AND at > ?2 AND \(isUnclaimed)",
            "DELETE FROM run WHERE sid = ?1 AND first >= ?2 AND \(isUnclaimed)",
        ] {
            _ = try connection.prepare(sql).all(values) { _ in }
        }
        hasFreed = true
    }

    // MARK: Freeing

    /// Gives the space of some deleted runs back to the disk. Does nothing if there are none. A crash between the
    /// deletion and this leaves the places in the table `freed` for the next start.
    mutating func free(_ connection: borrowing Connection, _ wal: borrowing WalHealth) throws(LogError) {
        guard hasFreed else { return }
        // If this fails, the next deletion or the next start tries it again.
        hasFreed = false
        let (places, last, count): (places: [Range<Int64>], last: Int64?, count: Int)
        do throws(SQLiteError) { (places, last, count) = try freedPlaces(connection) } catch { throw LogError(error) }
        guard let last else { return }
        // A power cut must not bring the rows back.
        try wal.sync()
        try file.free(Self.joined(places))
        do throws(SQLiteError) {
            try connection.prepare("DELETE FROM freed WHERE place <= ?1").run(.integer(last))
        } catch {
            throw LogError(error)
        }
        hasFreed = count == Self.freedRows
    }

    /// 4,096 rows, which are 1 GiB of a flood, but few pieces of the file.
    private static let freedRows = 4096

    /// Returns the first places to free. Damaged numbers can name places of other runs, so each place ends where another
    /// run's begins.
    private func freedPlaces(
        _ connection: borrowing Connection
    ) throws(SQLiteError) -> (places: [Range<Int64>], last: Int64?, count: Int) {
        let freed = try connection.prepare("SELECT place, size FROM freed ORDER BY place LIMIT \(Self.freedRows)").all {
            (start: $0.integer(0), size: $0.integer(1))
        }
        let before = try connection.prepare(
            "SELECT place + size FROM run WHERE place <= ?1 AND \(StoredPlaces.isPossible) ORDER BY place DESC LIMIT 1")
        let after = try connection.prepare("SELECT place FROM run WHERE place > ?1 ORDER BY place LIMIT 1")
        var places: [Range<Int64>] = []
        for place in freed {
            let (end, overflow) = place.start.addingReportingOverflow(place.size)
            guard place.start >= 0, place.size > 0, !overflow else { continue }
            let start = max(place.start, try before.first(.integer(place.start)) { $0.integer(0) } ?? 0)
            let limit = min(file.committedEnd, try after.first(.integer(place.start)) { $0.integer(0) } ?? .max)
            if start < min(end, limit) { places.append(start..<min(end, limit)) }
        }
        return (places, freed.last?.start, freed.count)
    }

    /// Joins neighbouring places, because only whole blocks can be given back.
    private static func joined(_ places: [Range<Int64>]) -> [Range<Int64>] {
        var joined: [Range<Int64>] = []
        for place in places {
            if let last = joined.last, last.upperBound >= place.lowerBound {
                joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, place.upperBound)
            } else {
                joined.append(place)
            }
        }
        return joined
    }

    /// The bytes that the lines occupy on disk, without the places that are not given back yet.
    func usedBytes(_ connection: borrowing Connection) throws(SQLiteError) -> Int64 {
        let freed = try connection.integer("SELECT total(size) FROM freed WHERE \(StoredPlaces.isPossible)")
        return max(0, file.usedBytes() - freed)
    }
}
