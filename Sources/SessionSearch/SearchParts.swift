import SQLite

/// The parts of an index, each with a table of words.
struct SearchParts {
    private struct Part {
        let id: Int64
        /// Bytes of text that were added.
        var bytes: Int64
        /// Documents that were added.
        var documents: Int64
        /// Documents that were deleted since. Their words are still in the table.
        var dead: Int64
        /// The part's documents move to another part.
        var isLeaving: Bool
    }

    private struct Statements {
        let insert, delete: Statement
    }

    private var parts: [Part] = []
    private var statements: [Int64: Statements] = [:]
    /// Parts with counts that have changed since ``save()``.
    private var changed: Set<Int64> = []
    private let create, update, forget: Statement
    /// The place of the last document that has moved out of ``leaving``.
    var movedTo: (sid: Int64, first: Int64) = (0, 0)

    /// 16 MiB of text: after a deletion, at most this much is indexed again.
    private static let limitBytes: Int64 = 16 << 20
    /// A part leaves when this fraction of its documents was deleted.
    private static let deadFraction: Int64 = 4

    init(_ connection: borrowing Connection) throws(SQLiteError) {
        create = try connection.prepare("INSERT INTO part DEFAULT VALUES")
        update = try connection.prepare("UPDATE part SET bytes = ?2, docs = ?3, dead = ?4, leaving = ?5 WHERE id = ?1")
        forget = try connection.prepare("DELETE FROM part WHERE id = ?1")
        let list = try connection.prepare("SELECT id, bytes, docs, dead, leaving FROM part ORDER BY id")
        parts = try list.all { row in
            Part(
                id: row.integer(0), bytes: row.integer(1), documents: row.integer(2), dead: row.integer(3),
                isLeaving: row.integer(4) == 1)
        }
    }

    /// The part to empty next; nil if there is none.
    var leaving: Int64? { parts.first(where: \.isLeaving)?.id }

    // MARK: Documents

    /// Adds a document to the newest part, or to a new one. Returns the part.
    mutating func insert(_ id: Int64, _ text: String, _ connection: borrowing Connection) throws(SQLiteError) -> Int64 {
        let index = try indexForInsertion(connection)
        try prepared(parts[index].id, connection).insert.run(.integer(id), .text(text))
        parts[index].bytes += Int64(text.utf8.count)
        parts[index].documents += 1
        changed.insert(parts[index].id)
        return parts[index].id
    }

    /// Removes a document with exactly this text.
    mutating func remove(
        _ id: Int64, _ text: String, from part: Int64, _ connection: borrowing Connection
    ) throws(SQLiteError) {
        guard let index = parts.firstIndex(where: { $0.id == part }) else { return }
        try prepared(part, connection).delete.run(.integer(id), .text(text))
        parts[index].bytes -= Int64(text.utf8.count)
        parts[index].documents -= 1
        changed.insert(parts[index].id)
    }

    /// Counts documents that were deleted.
    mutating func died(_ count: Int64, in part: Int64, isAtOnce: Bool) throws(SQLiteError) {
        guard count > 0, let index = parts.firstIndex(where: { $0.id == part }) else { return }
        parts[index].dead += count
        if isAtOnce || parts[index].dead * Self.deadFraction >= parts[index].documents { parts[index].isLeaving = true }
        changed.insert(parts[index].id)
    }

    /// Drops an empty part.
    mutating func drop(_ part: Int64, _ connection: borrowing Connection) throws(SQLiteError) {
        movedTo = (0, 0)
        statements[part] = nil
        parts.removeAll { $0.id == part }
        try connection.execute("DROP TABLE words_\(part)")
        try forget.run(.integer(part))
    }

    /// Stores the counts that have changed. Call before each commit.
    mutating func save() throws(SQLiteError) {
        for part in parts where changed.contains(part.id) {
            try update.run(
                .integer(part.id), .integer(part.bytes), .integer(part.documents), .integer(part.dead),
                .integer(part.isLeaving ? 1 : 0))
        }
        changed = []
    }

    // MARK: Rows

    private mutating func indexForInsertion(_ connection: borrowing Connection) throws(SQLiteError) -> Int {
        if let last = parts.indices.last, !parts[last].isLeaving, parts[last].bytes < Self.limitBytes { return last }
        try create.run()
        let id = connection.lastInsertedRow
        try connection.execute(SearchSchema.createWords(of: id))
        parts.append(Part(id: id, bytes: 0, documents: 0, dead: 0, isLeaving: false))
        return parts.count - 1
    }

    private mutating func prepared(_ part: Int64, _ connection: borrowing Connection) throws(SQLiteError) -> Statements
    {
        if let known = statements[part] { return known }
        let table = "words_\(part)"
        let new = Statements(
            insert: try connection.prepare("INSERT INTO \(table)(rowid, text) VALUES(?1, ?2)"),
            delete: try connection.prepare("INSERT INTO \(table)(\(table), rowid, text) VALUES('delete', ?1, ?2)"))
        statements[part] = new
        return new
    }
}
