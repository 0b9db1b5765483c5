import SQLite
import SessionRecords

/// The size of one step of a deletion: 100 rows or 4 MiB. A step takes a few milliseconds, so deletion continues between
/// commits without holding them up. Bytes count as much as rows because freed pages are written too.
enum Chunk {
    static let rows = 100
    static let bytes = 4 << 20
}

extension WriteConnection {
    /// Deletes one chunk in a separate transaction. Returns the answer when nothing is left to delete.
    package func trimChunk(sid: Int64, upTo: Int64) throws(LogError) -> Answer? {
        try LogError.wrapping { () throws(SQLiteError) in
            try transaction { () throws(SQLiteError) in
                guard let oldest = try oldest(sid) else { return .failed(.unknownSession(sid: sid)) }
                if try deleteRuns(sid: sid, upTo: upTo) { return nil }
                if try deleteEntries(sid: sid, oldest: oldest) { return nil }
                return .trimmed(oldest: oldest)
            }
        }
    }

    private func oldest(_ sid: Int64) throws(SQLiteError) -> Int64? {
        try connection.prepare("SELECT oldest FROM session WHERE sid = ?1").first(.integer(sid)) { $0.integer(0) }
    }

    func deleteRuns(sid: Int64, upTo: Int64) throws(SQLiteError) -> Bool {
        guard let last = try lastRunOfChunk(sid: sid, upTo: upTo) else { return false }
        try connection.prepare("DELETE FROM run WHERE sid = ?1 AND first <= ?2")
            .run(.integer(sid), .integer(last.first))
        try connection.prepare("UPDATE session SET oldest = ?2 WHERE sid = ?1")
            .run(.integer(sid), .integer(last.end))
        outside.hasFreed = true
        return true
    }

    private func lastRunOfChunk(sid: Int64, upTo: Int64) throws(SQLiteError) -> (first: Int64, end: Int64)? {
        let rows = try connection.prepare(
            """
            SELECT first, first + count, \(StoredPlaces.size) FROM run WHERE sid = ?1 AND first + count - 1 <= ?2
            ORDER BY first LIMIT \(Chunk.rows)
            """
        ).all(.integer(sid), .integer(upTo)) {
            (first: $0.integer(0), end: $0.integer(1), bytes: Int($0.integer(2)))
        }
        var bytes = 0
        var last: (first: Int64, end: Int64)?
        for row in rows where last == nil || bytes + row.bytes <= Chunk.bytes {
            bytes += row.bytes
            last = (row.first, row.end)
        }
        return last
    }

    /// Deletes a chunk of the entries before the oldest update. Returns whether it deleted any. The last entry before
    /// that update stays, because timeline numbers are counted from it.
    private func deleteEntries(sid: Int64, oldest: Int64) throws(SQLiteError) -> Bool {
        try connection.prepare(
            """
            DELETE FROM entry WHERE sid = ?1 AND n IN (
                SELECT n FROM entry
                WHERE sid = ?1 AND n < (SELECT n FROM entry WHERE sid = ?1 AND at <= ?2 ORDER BY at DESC, n DESC LIMIT 1)
                ORDER BY n LIMIT \(Chunk.rows))
            """
        ).run(.integer(sid), .integer(oldest))
        return connection.changedRows > 0
    }
}
