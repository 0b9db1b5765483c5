import SQLite
import SessionRecords

extension WriteConnection {
    func label(sid: Int64, _ change: SessionLabel.Change) throws(SQLiteError) -> Answer {
        switch change {
        case .title(let title): try statements.setTitle.run(.integer(sid), .optional(title))
        case .tags(let tags):
            let lines = tags.isEmpty ? nil : tags.joined(separator: "\n")
            try statements.setTags.run(.integer(sid), .optional(lines))
        case .archived(let isArchived): try statements.setArchived.run(.integer(sid), .integer(isArchived ? 1 : 0))
        }
        return connection.changedRows == 1 ? .described : .failed(.unknownSession(sid: sid))
    }
}
