import SQLite
import TestSupport
import Testing

@Suite struct WALTests {
    private let folder = TemporaryFolder()

    private func connection() throws -> Connection {
        let connection = try Connection(path: folder.file("file.db", ""), .readWrite)
        try connection.execute("PRAGMA journal_mode=WAL")
        return connection
    }

    @Test func commitsSetTheNumberOfPages() throws {
        let connection = try connection()
        try connection.countWALPages()
        #expect(connection.walPages == 0)
        try connection.execute("CREATE TABLE t(a)")
        let pages = connection.walPages
        #expect(pages > 0)
        try connection.execute("INSERT INTO t VALUES(1)")
        #expect(connection.walPages > pages)
    }

    @Test func aTruncatingCheckpointEmptiesTheWAL() throws {
        let connection = try connection()
        try connection.countWALPages()
        try connection.execute("CREATE TABLE t(a)")
        try connection.checkpoint(.truncate)
        connection.walPages = 0
        try connection.execute("INSERT INTO t VALUES(1)")
        #expect(connection.walPages == 1)
    }

    @Test func aCopyIncludesDataThatIsOnlyInTheWAL() throws {
        let connection = try connection()
        try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES(7)")
        let copy = try Connection(path: folder.file("copy.db", ""), .readWrite)
        try connection.copy(to: copy)
        #expect(try copy.integer("SELECT a FROM t") == 7)
    }
}
