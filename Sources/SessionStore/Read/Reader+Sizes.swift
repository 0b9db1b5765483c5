import SQLite
import SessionRecords

extension Reader {
    /// Returns the size of each part of an incarnation, the oldest first. Small parts are joined up to `partBytes`.
    func sizes(sid: Int64, partBytes: Int) throws(SQLiteError) -> [PartSize] {
        var parts: [PartSize] = []
        defer { statements.sizes.reset() }
        try statements.sizes.bind([.integer(sid)])
        while try statements.sizes.step() {
            parts.join(
                PartSize(last: statements.sizes.integer(0), bytes: Int(statements.sizes.integer(1))), to: partBytes)
        }
        return parts
    }
}
