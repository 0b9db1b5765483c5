import SQLite
import SessionRecords

extension Reader {
    /// A reader under epoch e shares this history up to the number before the next claim's first number. If the reader
    /// saw updates beyond that number, a power cut took them back. Under the present epoch the limit is the head. This
    /// is Raft's log matching on a small scale.
    func position(sid: Int64, journal: Journal, seq: Int64, oldest: Int64) throws(SQLiteError) -> Position {
        guard try isKnown(journal, sid: sid), seq >= oldest - 1 else { return .resetTo(first: oldest) }
        let nextFirst = try statements.nextEpochFirst.first(.integer(sid), .integer(journal.epoch)) {
            $0.isNull(0) ? nil : $0.integer(0)
        }
        let lastShared: Int64
        if let nextFirst, let nextFirst {
            lastShared = nextFirst - 1
        } else {
            lastShared = try head(sid: sid, oldest: oldest)
        }
        return seq <= lastShared ? .valid : .resetTo(first: max(lastShared + 1, oldest))
    }

    private func isKnown(_ journal: Journal, sid: Int64) throws(SQLiteError) -> Bool {
        guard journal.logId == logId, journal.sid == sid else { return false }
        return try statements.knowsEpoch.first(.integer(sid), .integer(journal.epoch)) { _ in true } ?? false
    }
}
