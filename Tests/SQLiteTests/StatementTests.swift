import CSQLite
import SQLite
import Testing

@Suite struct StatementTests {
    private static func memory() throws -> Connection {
        let connection = try Connection(path: ":memory:", .readWrite)
        try connection.execute("CREATE TABLE t(number INTEGER UNIQUE, text TEXT, bytes BLOB)")
        return connection
    }

    @Test func boundValuesRoundTrip() throws {
        let connection = try Self.memory()
        let insert = try connection.prepare("INSERT INTO t VALUES(?1, ?2, ?3)")
        try insert.run(.integer(.min), .text("a\0b"), bytes: [0, 255])
        try insert.run(.null, .optional(nil as String?), bytes: [])
        #expect(connection.lastInsertedRow == 2 && connection.changedRows == 1)
        let select = try connection.prepare("SELECT number, text, bytes FROM t ORDER BY rowid")
        let numbers = try select.all { $0.isNull(0) ? nil : $0.integer(0) }
        #expect(numbers == [.min, nil])
        #expect(try select.all { $0.text(1) } == ["a\0b", nil])
        #expect(try select.all { Array($0.bytes(2)) } == [[0, 255], []])
        #expect(try select.all { $0.isNull(2) } == [false, false])
    }

    @Test func aStatementThatCannotBePreparedFailsInEachUse() throws {
        let connection = try Self.memory()
        let wrong = connection.statement("INSERT INTO missing VALUES(?1)")
        let row = try connection.prepare("SELECT 1")
        #expect(throws: SQLiteError.self) { try wrong.run(.integer(1)) }
        #expect(throws: SQLiteError.self) { try wrong.run(bytes: [1]) }
        #expect(throws: SQLiteError.self) { try wrong.runCopying(row, 1) }
        #expect(throws: SQLiteError.self) { try wrong.first { _ in true } }
        try connection.execute("CREATE TABLE missing(bytes BLOB)")
        try wrong.run(bytes: [1])
        #expect(try connection.integer("SELECT count(*) FROM missing") == 1)
    }

    @Test func errorsContainTheExtendedCode() throws {
        let connection = try Self.memory()
        let insert = try connection.prepare("INSERT INTO t(number) VALUES(?1)")
        try insert.run(.integer(1))
        let error = #expect(throws: SQLiteError.self) { try insert.run(.integer(1)) }
        #expect(error?.code == SQLITE_CONSTRAINT | (8 << 8))
        #expect(error?.primaryCode == SQLITE_CONSTRAINT)
        #expect(error?.text == "constraint failed")
    }

    @Test func aStatementCanBeUsedAgainAfterAnError() throws {
        let connection = try Self.memory()
        let insert = try connection.prepare("INSERT INTO t(number) VALUES(?1)")
        try insert.run(.integer(1))
        #expect(throws: SQLiteError.self) { try insert.run(.integer(1)) }
        try insert.run(.integer(2))
        #expect(try connection.integer("SELECT count(*) FROM t") == 2)
    }

    @Test func aTransactionThatFailedIsRolledBackOnce() throws {
        let connection = try Self.memory()
        try connection.execute("BEGIN; INSERT INTO t(number) VALUES(1)")
        connection.rollBack()
        connection.rollBack()
        #expect(try connection.integer("SELECT count(*) FROM t") == 0)
    }

    @Test func aMissingFileIsNotCreated() {
        let error = #expect(throws: SQLiteError.self) {
            try Connection(path: "/nonexistent/file.db", .readWrite).execute("")
        }
        #expect(error?.primaryCode == SQLITE_CANTOPEN)
    }
}

@Suite struct SearchWordsTests {
    @Test(arguments: [
        (["über"], true), (["ÜBER", "zwei"], true), (["eins", "drei"], false), (["einszwei"], false), ([], true),
    ])
    func eachWordMustOccurInOneColumn(words: [String], isFound: Bool) throws {
        let connection = try Connection(path: ":memory:", .readWrite)
        try SearchWords.register(connection)
        let select = try connection.prepare("SELECT \(SearchWords.function)(?1, 'Über eins', NULL, 'zwei')")
        #expect(try select.first(.text(SearchWords.bound(words))) { $0.integer(0) } == (isFound ? 1 : 0))
    }
}
