import CSQLite
import SQLite
import SessionRecords

/// Marks the matches of a query in one text, with the tokenizer of the index, in a table in memory. For one thread.
package struct SearchExcerpts {
    private let connection: MemoryConnection
    private let insert, find, clear: Statement

    package init() throws(SQLiteError) {
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
    private func marked(_ text: String, _ expression: String) throws(SQLiteError) -> String? {
        try clear.run()
        try insert.run(.text(SearchTokens.prepared(text)))
        return try find.first(.text(expression)) { $0.text(0) } ?? nil
    }

    /// Finds the query in the text of a candidate. Returns nil if the text does not match: then the words do not follow
    /// each other, or the items have no longer this text.
    package func hit(
        _ query: SearchQuery, _ candidate: SearchCandidate, in items: [TimelineItem]
    ) throws(SQLiteError) -> SearchHit? {
        guard let document = candidate.document(in: items), let marked = try marked(document.text, query.matches),
            let (snippet, offset) = SearchSnippet.around(firstMatchIn: marked)
        else { return nil }
        let piece = document.piece(at: offset)
        return SearchHit(kind: document.kind, n: piece.n, seq: piece.seq, ts: piece.ts, snippet: snippet)
    }
}
