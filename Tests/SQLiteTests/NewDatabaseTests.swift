import SQLite
import TestSupport
import Testing

/// SQLite reads what ``NewDatabase`` writes as it reads what it has written itself.
@Suite struct NewDatabaseTests {
    private let folder = TemporaryFolder()

    private let objects: [SchemaObject] = [
        .table("kind", "id INTEGER PRIMARY KEY, name TEXT NOT NULL, seen BLOB"),
        .table("place", "id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE"),
        .constraint(of: "place"),
        .sequences,
        .table("count", isClustered: true, "kind INTEGER, day INTEGER, PRIMARY KEY(kind, day)"),
        .index("count_day", on: "count", "(day) WHERE day > 0"),
        .trigger("counted", "AFTER INSERT", on: "count", "BEGIN UPDATE kind SET seen = x'00'; END"),
    ]

    private func database(pageBytes: Int = 4096, name: String = "a kind") -> NewDatabase {
        NewDatabase(
            objects, row: ("kind", [.null, .text(name), .bytes([1, 2])]), version: 7, pageBytes: pageBytes)
    }

    private func open(_ database: NewDatabase) throws -> Connection {
        var bytes = [UInt8](repeating: 0, count: database.byteCount)
        for piece in try #require(database.pieces) {
            bytes.replaceSubrange(piece.place..<piece.place + piece.bytes.count, with: piece.bytes)
        }
        return try Connection(path: folder.file("new.db", bytes: bytes), .readWrite)
    }

    private func schema(_ connection: borrowing Connection) throws -> [String] {
        try connection.prepare("SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema ORDER BY rowid").all {
            "\($0.text(0) ?? "") \($0.text(1) ?? "") \($0.text(2) ?? "") \($0.integer(3)) \($0.text(4) ?? "")"
        }
    }

    @Test(arguments: [512, 4096, 32768])
    func aNewDatabaseHasTheSchemaThatSQLWouldMake(pageBytes: Int) throws {
        // The descriptions need more than 512 bytes.
        guard pageBytes > 512 else { return #expect(database(pageBytes: pageBytes).pieces == nil) }
        let other = try Connection(path: folder.file("other.db", ""), .readWrite)
        try other.execute(objects.sql)
        let connection = try open(database(pageBytes: pageBytes))
        #expect(try schema(connection) == schema(other))
        #expect(try connection.integer("PRAGMA page_size") == pageBytes)
        #expect(try connection.integer("PRAGMA user_version") == 7)
    }

    @Test func aNewDatabaseHasItsRow() throws {
        let connection = try open(database())
        let rows = try connection.prepare("SELECT id, name, hex(seen) FROM kind").all {
            "\($0.integer(0)) \($0.text(1) ?? "") \($0.text(2) ?? "")"
        }
        #expect(rows == ["1 a kind 0102"])
    }

    @Test func aRowThatNeedsMorePagesIsRefused() {
        let long = database(name: String(repeating: "n", count: 4070))
        #expect(long.pieces == nil)
        #expect(database(name: String(repeating: "n", count: 4000)).pieces != nil)
    }

    @Test func theBeginningOfTheFileComesLast() throws {
        let pieces = try #require(database().pieces)
        #expect(pieces.map(\.place).filter { $0 == 0 }.count == 1)
        #expect(pieces.last?.place == 0)
        #expect(pieces.last?.bytes.starts(with: "SQLite format 3\0".utf8) == true)
    }

    @Test func aNewDatabaseIsWholeAndWritable() throws {
        let connection = try open(database())
        let journal = try connection.prepare("PRAGMA journal_mode").first { $0.text(0) }
        #expect(journal == "wal")
        try connection.execute("INSERT INTO count VALUES(1, 2), (1, 3); INSERT INTO place(name) VALUES('here')")
        #expect(try connection.integer("SELECT sum(day) FROM count INDEXED BY count_day WHERE day > 0") == 5)
        #expect(try connection.integer("SELECT count(*) FROM kind WHERE seen = x'00'") == 1, "the trigger has run")
        let check = try connection.prepare("PRAGMA integrity_check").all { $0.text(0) }
        #expect(check == ["ok"])
    }
}
