import CSQLite
import SQLite

/// Divides texts into the words of the index, with SQLite's own tokenizer, for an index that another program keeps. For
/// one thread.
package struct SearchTerms {
    private let connection: MemoryConnection
    private let insert, list, clear: Statement

    /// 255 bytes. PostgreSQL's limit for a word of a `tsvector` is 2 KiB, and nobody writes such a word. Longer ones
    /// cannot be found.
    package static let wordLimitBytes = 255

    package init() throws(SQLiteError) {
        let memory = try MemoryConnection()
        connection = memory
        try memory.connection.execute(
            "CREATE VIRTUAL TABLE words USING fts5(text, detail=none, \(SearchTokens.tokenizer))")
        try memory.connection.execute("CREATE VIRTUAL TABLE term USING fts5vocab(words, 'row')")
        insert = try memory.connection.prepare("INSERT INTO words(rowid, text) VALUES(1, ?1)")
        list = try memory.connection.prepare("SELECT term FROM term")
        clear = try memory.connection.prepare("DELETE FROM words")
    }

    /// Returns the words of a text in the form in which they are compared, each one once. No word has a character other
    /// than letters, digits and marks.
    package func words(of text: String) throws(SQLiteError) -> [String] {
        try clear.run()
        try insert.run(.text(SearchTokens.prepared(SearchTokens.withoutMarks(text))))
        return try list.all { $0.text(0) ?? "" }.filter { (1...Self.wordLimitBytes).contains($0.utf8.count) }
    }

    /// Returns the words of a query in the syntax of PostgreSQL's `tsquery`, as in `'login' & 'pag':*`. Nil if a word
    /// cannot be found.
    package func expression(_ query: SearchQuery) throws(SQLiteError) -> String? {
        var terms: [String] = []
        for phrase in query.phrases {
            for (index, word) in phrase.words.enumerated() {
                let found = try words(of: word)
                guard !found.isEmpty else { return nil }
                let isPrefix = phrase.isPrefix && index == phrase.words.count - 1
                // Words have no quotes and no backslashes, so nothing must be escaped.
                terms += found.map { "'\($0)'" + (isPrefix ? ":*" : "") }
            }
        }
        return terms.joined(separator: " & ")
    }
}
