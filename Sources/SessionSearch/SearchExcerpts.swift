import CSQLite
import SQLite

/// Marks the matches of a query in one text, with the tokenizer of the index, in a table in memory.
struct SearchExcerpts {
    private let connection: MemoryConnection
    private let insert, find, clear: Statement

    /// Owns the connection, which a structure that is copied cannot.
    private final class MemoryConnection {
        let connection: Connection

        init() throws(SQLiteError) { connection = try Connection(path: ":memory:", .readWrite) }
    }

    init() throws(SQLiteError) {
        let memory = try MemoryConnection()
        connection = memory
        try memory.connection.execute("CREATE VIRTUAL TABLE excerpt USING fts5(text, \(SearchTokens.tokenizer))")
        insert = try memory.connection.prepare("INSERT INTO excerpt(rowid, text) VALUES(1, ?1)")
        find = try memory.connection.prepare(
            """
            SELECT highlight(excerpt, 0, '\(SearchTokens.matchStart)', '\(SearchTokens.matchEnd)')
            FROM excerpt WHERE excerpt MATCH ?1
            """)
        clear = try memory.connection.prepare("DELETE FROM excerpt")
    }

    /// Returns the prepared text with marks around each match, or nil if it does not match.
    func marked(_ text: String, _ expression: String) throws(SQLiteError) -> String? {
        try clear.run()
        try insert.run(.text(SearchTokens.prepared(text)))
        return try find.first(.text(expression)) { $0.text(0) } ?? nil
    }
}
