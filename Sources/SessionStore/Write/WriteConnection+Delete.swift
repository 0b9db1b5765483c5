import SQLite
import SessionRecords

extension WriteConnection {
    /// Marks the incarnation as deleted. From then on it cannot be found. ``deleteChunk(_:)`` removes its stored data.
    func delete(sid: Int64) throws(SQLiteError) -> Answer {
        try statements.markGone.run(.integer(sid))
        if connection.changedRows == 1 {
            sessions.forget(sid)
            if notesDeletions { try statements.noteDeletion.run(.integer(sid)) }
            return .deleted
        }
        let isThere = try statements.isThere.first(.integer(sid)) { _ in true } ?? false
        return .failed(isThere ? .sessionIsLive(sid: sid) : .unknownSession(sid: sid))
    }

    func noteDeletions(_ sids: [Int64]) throws(SQLiteError) -> Answer {
        notesDeletions = true
        for sid in sids { try statements.noteDeletion.run(.integer(sid)) }
        return .deletionsNoted
    }

    func forgetDeletions(_ sids: [Int64]) throws(SQLiteError) -> Answer {
        for sid in sids { try statements.forgetDeletion.run(.integer(sid)) }
        return .deletionsNoted
    }

    /// Returns the deleted incarnations that still have stored data.
    package func goneIncarnations() throws(SQLiteError) -> [Int64] {
        try connection.prepare("SELECT sid FROM session WHERE gone = 1").all { $0.integer(0) }
    }

    /// Deletes one chunk of a deleted incarnation in a separate transaction. Returns true when the incarnation has no
    /// data left.
    package func deleteChunk(_ sid: Int64) throws(SQLiteError) -> Bool {
        try transaction { () throws(SQLiteError) in
            if try deleteRuns(sid: sid, upTo: .max) { return false }
            if try deleteSomeEntries(sid) { return false }
            try connection.prepare("DELETE FROM epoch WHERE sid = ?1").run(.integer(sid))
            try connection.prepare("DELETE FROM session WHERE sid = ?1").run(.integer(sid))
            return true
        }
    }

    private func deleteSomeEntries(_ sid: Int64) throws(SQLiteError) -> Bool {
        try connection.prepare(
            """
            DELETE FROM entry WHERE sid = ?1 AND n IN (SELECT n FROM entry WHERE sid = ?1 ORDER BY n LIMIT \(Chunk.rows))
            """
        ).run(.integer(sid))
        return connection.changedRows > 0
    }
}
