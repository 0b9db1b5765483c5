import SQLite
import SessionRecords

/// The state of the file of floods (``LinesFile``), according to the tables.
struct StoredPlaces {
    /// The end of all places that a row refers to.
    let end: Int64
    /// Lines before this place are on disk.
    let synced: Int64
    let hasFreed: Bool

    init(_ connection: borrowing Connection) throws(SQLiteError) {
        // Other numbers are damaged, and their rows count as unreadable.
        let isPossible = "place BETWEEN 0 AND \(LinesFile.largestPlace) AND size BETWEEN 0 AND \(Int32.max)"
        let places = try connection.prepare(
            """
            SELECT lines_synced, (SELECT place + size FROM freed WHERE \(isPossible) ORDER BY place DESC LIMIT 1),
                (SELECT place + size FROM run WHERE \(isPossible) ORDER BY place DESC LIMIT 1)
            FROM log
            """
        ).first { (synced: $0.integer(0), freed: $0.integer(1), run: $0.integer(2)) }
        synced = min(max(0, places?.synced ?? 0), LinesFile.largestPlace)
        hasFreed = places.map { $0.freed > 0 } ?? false
        end = max(synced, places?.freed ?? 0, places?.run ?? 0)
    }
}

extension WriteConnection {
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
    func deleteLostRuns() throws(SQLiteError) {
        guard lines.committedEnd > lines.syncedEnd else { return }
        let unsynced = try connection.prepare(
            "SELECT sid, first, place, size, sum FROM run WHERE place >= ?1 ORDER BY place"
        ).all(.integer(lines.syncedEnd)) {
            OutsideRun(
                sid: $0.integer(0), first: $0.integer(1), place: $0.integer(2), size: $0.integer(3), sum: $0.integer(4))
        }
        let buffer = RunBuffer(lines)
        for run in unsynced {
            let bytes: UnsafeRawBufferPointer
            do throws(SQLiteError) {
                bytes = try buffer.read(size: run.size, from: run.place)
            } catch {
                guard error.isDamage else { throw error }
                try delete(run)
                continue
            }
            if Int64(CRC32C.of(bytes)) != run.sum { try delete(run) }
        }
    }

    private func delete(_ run: OutsideRun) throws(SQLiteError) {
        let values: [Statement.Value] = [.integer(run.sid), .integer(run.first)]
        let isUnclaimed = "?2 >= (SELECT max(first) FROM epoch WHERE sid = ?1)"
        for sql in [
            "DELETE FROM entry WHERE sid = ?1 AND at > ?2 AND \(isUnclaimed)",
            "DELETE FROM run WHERE sid = ?1 AND first >= ?2 AND \(isUnclaimed)",
        ] {
            _ = try connection.prepare(sql).all(values) { _ in }
        }
        hasFreedLines = true
    }

    /// Gives the space of some deleted runs back to the disk. Does nothing if there are none. A crash between the
    /// deletion and this leaves the places in the table `freed` for the next start.
    package func freeLines() throws(LogError) {
        guard hasFreedLines else { return }
        // If this fails, the next deletion or the next start tries it again.
        hasFreedLines = false
        let freed = try LogError.wrapping { () throws(SQLiteError) in
            try connection.prepare("SELECT place, size FROM freed ORDER BY place LIMIT \(Chunk.rows)").all {
                (start: $0.integer(0), end: $0.integer(0) &+ $0.integer(1))
            }
        }
        guard let last = freed.last else { return }
        // A power cut must not bring the rows back.
        try syncWal()
        try lines.free(Self.joined(freed))
        try LogError.wrapping { () throws(SQLiteError) in
            try connection.prepare("DELETE FROM freed WHERE place <= ?1").run(.integer(last.start))
        }
        hasFreedLines = freed.count == Chunk.rows
    }

    /// Joins neighbouring places, because only whole blocks can be given back. Leaves out places that a damaged file
    /// cannot have.
    static func joined(_ places: [(start: Int64, end: Int64)]) -> [Range<Int64>] {
        var ranges: [Range<Int64>] = []
        for place in places where place.start >= 0 && place.start < place.end {
            if let last = ranges.last, last.upperBound == place.start {
                ranges[ranges.count - 1] = last.lowerBound..<place.end
            } else {
                ranges.append(place.start..<place.end)
            }
        }
        return ranges
    }
}
