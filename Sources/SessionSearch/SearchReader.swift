import Glibc
import SQLite
import SessionRecords

/// Finds documents in an index that ``SearchIndex`` changes on another thread. For one thread.
///
/// The thread that indexes has the lowest priority, so on a busy machine a query would wait for seconds behind it. A
/// reader has a connection of its own, and sees what is committed.
package final class SearchReader {
    private let path: String
    /// Nil until the first hit.
    private var excerpts: SearchExcerpts?
    private var opened: OpenIndex?

    /// - Parameter path: the file of the index. It can be missing, and can be replaced by another one at any time.
    package init(path: String) { self.path = path }

    /// Returns the newest documents that have the words of the query. Without an index there are none.
    ///
    /// - Parameter before: Only documents with lower ids.
    package func candidates(
        _ query: SearchQuery, before: Int64?, limit: Int
    ) throws(SQLiteError) -> [SearchCandidate] {
        do throws(SQLiteError) {
            try open()
            return try opened?.candidates(query.candidates, before: before ?? .max, limit: limit) ?? []
        } catch {
            // The next query opens the file again.
            opened = nil
            throw error
        }
    }

    /// Finds the query in the text of a candidate. Returns nil if the text does not match: then the words do not follow
    /// each other, or the log has no longer this text.
    package func hit(
        _ query: SearchQuery, _ candidate: SearchCandidate, in items: [TimelineItem]
    ) throws(SQLiteError) -> SearchHit? {
        if excerpts == nil { excerpts = try SearchExcerpts() }
        return try excerpts?.hit(query, candidate, in: items)
    }

    /// Opens the file that has the path now, unless it is open. A damaged index is replaced by a file of the same name.
    private func open() throws(SQLiteError) {
        let file = FilePlace(path)
        if let opened, opened.file == file { return }
        opened = nil
        if let file { opened = try OpenIndex(path: path, file) }
    }
}

/// The file of an index, whatever its name.
private struct FilePlace: Equatable {
    let device: dev_t
    let inode: ino_t

    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        (device, inode) = (status.st_dev, status.st_ino)
    }
}

/// A connection that reads an index, and its statements.
private final class OpenIndex {
    let file: FilePlace
    private let connection: Connection
    private let begin, commit, parts: Statement
    private var finding: [Int64: Statement] = [:]

    /// Returns nil if the file is not yet an index, or is one of another version, which will be replaced.
    init?(path: String, _ file: FilePlace) throws(SQLiteError) {
        self.file = file
        connection = try Connection(path: path, .readOnly)
        guard try connection.integer("PRAGMA user_version") == SearchSchema.version else { return nil }
        begin = try connection.prepare("BEGIN")
        commit = try connection.prepare("COMMIT")
        parts = try connection.prepare("SELECT id FROM part ORDER BY id")
    }

    /// Reads all parts in one transaction, so that a part cannot be dropped, or a document be moved, in between. If it
    /// fails, this connection must not be used again, because its transaction is open.
    func candidates(_ expression: String, before: Int64, limit: Int) throws(SQLiteError) -> [SearchCandidate] {
        try begin.run()
        var found: [SearchCandidate] = []
        let ids = try parts.all { $0.integer(0) }
        for part in ids {
            found += try find(in: part).all(.text(expression), .integer(before), .integer(Int64(limit))) { row in
                SearchCandidate(id: row.integer(0), sid: row.integer(1), first: row.integer(2), last: row.integer(3))
            }
        }
        try commit.run()
        if finding.count > ids.count { finding = finding.filter { ids.contains($0.key) } }
        return Array(found.sorted { $0.id > $1.id }.prefix(limit))
    }

    /// The newest documents of a part that match an expression. A deleted document has no row in `doc`, and a moved one
    /// has another part there.
    private func find(in part: Int64) throws(SQLiteError) -> Statement {
        if let known = finding[part] { return known }
        let table = "words_\(part)"
        // The order of the tables is fixed, so that the newest matches are read first and no more than the limit.
        let statement = try connection.prepare(
            """
            SELECT doc.id, doc.sid, doc.first, doc.last FROM \(table) CROSS JOIN doc ON doc.id = \(table).rowid
            WHERE \(table) MATCH ?1 AND \(table).rowid < ?2 AND doc.part = \(part)
            ORDER BY \(table).rowid DESC LIMIT ?3
            """)
        finding[part] = statement
        return statement
    }
}
