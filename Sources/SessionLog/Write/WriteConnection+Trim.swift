/// A trim in progress.
struct Trim {
    let ticket: UInt64
    let sid: Int64
    let upTo: Int64

    /// 100 rows or 4 MiB. A chunk takes a few milliseconds, so trimming continues between commits without holding them
    /// up. Bytes count as much as rows because freed pages are written too.
    static let chunkRows = 100
    static let chunkBytes = 4 << 20
}

extension WriteConnection {
    /// Deletes one chunk in a separate transaction. Returns the answer when nothing is left to delete.
    func trimChunk(_ trim: Trim) throws(LogError) -> Answer? {
        try transaction { () throws(LogError) in
            guard let oldest = try oldest(trim.sid) else { return .failed(.unknownSession(sid: trim.sid)) }
            if try deleteRuns(trim) { return nil }
            if try deleteEntries(sid: trim.sid, oldest: oldest) { return nil }
            return .trimmed(oldest: oldest)
        }
    }

    private func oldest(_ sid: Int64) throws(LogError) -> Int64? {
        try connection.prepare("SELECT oldest FROM session WHERE sid = ?1").first(.integer(sid)) { $0.integer(0) }
    }

    func deleteRuns(_ trim: Trim) throws(LogError) -> Bool {
        guard let last = try lastRunOfChunk(trim) else { return false }
        try connection.prepare("DELETE FROM run WHERE sid = ?1 AND first <= ?2")
            .run(.integer(trim.sid), .integer(last.first))
        try connection.prepare("UPDATE session SET oldest = ?2 WHERE sid = ?1")
            .run(.integer(trim.sid), .integer(last.end))
        return true
    }

    private func lastRunOfChunk(_ trim: Trim) throws(LogError) -> (first: Int64, end: Int64)? {
        let rows = try connection.prepare(
            """
            SELECT first, first + count, length(lines) FROM run WHERE sid = ?1 AND first + count - 1 <= ?2
            ORDER BY first LIMIT \(Trim.chunkRows)
            """
        ).all(.integer(trim.sid), .integer(trim.upTo)) {
            (first: $0.integer(0), end: $0.integer(1), bytes: Int($0.integer(2)))
        }
        var bytes = 0
        var last: (first: Int64, end: Int64)?
        for row in rows where last == nil || bytes + row.bytes <= Trim.chunkBytes {
            bytes += row.bytes
            last = (row.first, row.end)
        }
        return last
    }

    /// Deletes a chunk of the entries before the oldest update. Returns whether it deleted any. The last entry before
    /// that update stays, because timeline numbers are counted from it.
    private func deleteEntries(sid: Int64, oldest: Int64) throws(LogError) -> Bool {
        try connection.prepare(
            """
            DELETE FROM entry WHERE sid = ?1 AND n IN (
                SELECT n FROM entry
                WHERE sid = ?1 AND n < (SELECT n FROM entry WHERE sid = ?1 AND at <= ?2 ORDER BY at DESC, n DESC LIMIT 1)
                ORDER BY n LIMIT \(Trim.chunkRows))
            """
        ).run(.integer(sid), .integer(oldest))
        return connection.changedRows > 0
    }
}
