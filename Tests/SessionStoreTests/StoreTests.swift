import Glibc
import SQLite
import SessionRecords
import TestSupport
import Testing

@testable import SessionStore

/// The two connections without threads.
@Suite struct StoreTests {
    private let folder = TemporaryFolder()
    private let file: LogFile

    init() {
        file = LogFile(path: folder.file("log.db", ""))
    }

    private func open(_ appends: [WriteRequest.Operation] = []) throws -> WriteConnection {
        let store = try WriteConnection(file: file, durability: .normal)
        try store.recover(appends.map { SpooledAppend($0, timelineHead: nil) }, now: 1_000)
        try store.settle()
        return store
    }

    private func reader(_ file: LogFile) throws -> Reader {
        try Reader(file, try LinesFile(readOnly: file.linesPath))
    }

    private func schema(_ connection: borrowing Connection) throws -> [String] {
        try connection.prepare("SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema ORDER BY rowid").all {
            "\($0.text(0) ?? "") \($0.text(1) ?? "") \($0.text(2) ?? "") \($0.integer(3)) \($0.text(4) ?? "")"
        }
    }

    private func withDescriptor(_ path: String, _ body: (Int32) throws -> Void) throws {
        let descriptor = Glibc.open(path, O_RDWR)
        defer { close(descriptor) }
        try body(descriptor)
    }

    @Test func aNewLogIsWrittenWithoutSQLAndHasTheTablesThatSQLMakes() throws {
        try withDescriptor(file.path) { descriptor in
            let id = try #require(try NewLog(file, descriptor: descriptor)).id
            let log = try Connection(path: file.path, .readWrite)
            let other = try Connection(path: folder.file("other.db", ""), .readWrite)
            try other.execute("\(Schema.objects.sql); INSERT INTO log(id) VALUES(\(id))")
            #expect(try schema(log) == schema(other))
            let columns =
                "SELECT id || ' ' || clock_trial || ' ' || lines_synced || coalesce(opened, clock, '') FROM log"
            let row = try log.prepare(columns).all { $0.text(0) }
            #expect(try row == other.prepare(columns).all { $0.text(0) })
            #expect(try log.integer("PRAGMA user_version") == Schema.version)
            #expect(try log.prepare("PRAGMA integrity_check").all { $0.text(0) } == ["ok"])
            #expect(try NewLog(file, descriptor: descriptor) == nil, "the file has content now")
        }
    }

    /// A process that was killed in the creation of a log has written some of its pieces, and not the beginning.
    @Test(arguments: [1, 16384, 3 * 16384 + 8, 16 * 16384]) func theCreationOfALogIsBegunAgainAfterAKill(length: Int)
        throws
    {
        try withDescriptor(file.path) { descriptor in
            _ = try #require(try NewLog(file, descriptor: descriptor))
            let header = [UInt8](repeating: 0, count: 4096)
            #expect(pwrite(descriptor, header, header.count, 0) == header.count && ftruncate(descriptor, length) == 0)
            let id = try #require(try NewLog(file, descriptor: descriptor)).id
            let log = try Connection(path: file.path, .readWrite)
            #expect(try log.integer("SELECT id FROM log") == Int64(id))
            #expect(try log.prepare("PRAGMA integrity_check").all { $0.text(0) } == ["ok"])
        }
    }

    @Test func aNewLogThatTheDiskHasNoRoomForIsReportedAsAFullDisk() throws {
        try withDescriptor("/dev/full") { descriptor in
            #expect(throws: LogError.full(.full)) { try NewLog(file, descriptor: descriptor) }
        }
    }

    /// SQLite would apply them to the new log. It removes them if it creates the tables itself.
    @Test(arguments: ["-wal", "-journal"]) func aNewLogTakesNothingFromFilesOfALogBeforeIt(name: String) throws {
        let before = LogFile(path: folder.file("before.db", ""))
        do {
            let connection = try Connection(path: before.path, .readWrite)
            try connection.execute("PRAGMA journal_mode=\(name == "-wal" ? "WAL" : "DELETE"); CREATE TABLE old(a)")
            try connection.execute("BEGIN; INSERT INTO old VALUES(1)")
            if name == "-wal" { try connection.execute("COMMIT") }
            #expect(rename(before.path + name, file.path + name) == 0)
        }
        try withDescriptor(file.path) { descriptor in
            let store = try WriteConnection(file: file, durability: .normal, descriptor: descriptor)
            try store.recover([], now: 1_000)
            try store.settle()
            #expect(try store.connection.integer("SELECT id FROM log") == Int64(store.logId))
            #expect(try store.connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'old'") == 0)
        }
    }

    @Test func aLogWithoutSessionsOfWhichAPowerCutTookAPageIsDamaged() throws {
        let page = try withNewLog { try $0.integer("SELECT rootpage FROM sqlite_schema WHERE name = 'deleted'") }
        try withDescriptor(file.path) { descriptor in
            let zeros = [UInt8](repeating: 0, count: Schema.pageBytes)
            pwrite(descriptor, zeros, zeros.count, off_t((Int(page) - 1) * zeros.count))
        }
        let error = #expect(throws: LogError.self) { try open() }
        #expect(error?.isDamage == true)
    }

    private func withNewLog(_ body: (borrowing Connection) throws -> Int64) throws -> Int64 {
        var result: Int64 = 0
        try withDescriptor(file.path) { descriptor in
            let store = try WriteConnection(file: file, durability: .normal, descriptor: descriptor)
            try store.recover([], now: 1_000)
            try store.settle()
            result = try body(store.connection)
        }
        return result
    }

    private func claim(_ store: WriteConnection, _ mode: ClaimMode = .fresh) throws -> Lease {
        let operation = WriteRequest.Operation.claim(
            agent: "demo", sessionId: "s", mode: mode, facts: SessionFacts(lastTs: 1))
        guard case .claimed(let lease) = store.commit([operation])[0] else { throw UnexpectedAnswer() }
        return lease
    }

    private struct UnexpectedAnswer: Error {}

    private func append(after: Int64, _ line: String) -> WriteRequest.Operation {
        .append(sid: 1, epoch: 1, after: after, items: [.run(lines: Array((line + "\n").utf8), count: 1, ts: 5)])
    }

    @Test func theReaderSeesCommittedUpdates() throws {
        let store = try open()
        #expect(store.isNew)
        #expect(try claim(store).sid == 1)
        let answers = store.commit([append(after: 0, "a"), append(after: 1, "b"), append(after: 1, "c")])
        #expect(
            answers == [
                .appended(head: 1, timelineHead: 1), .appended(head: 2, timelineHead: 2), .failed(.gap(head: 2)),
            ])
        let page = UpdatePage(first: 1, count: 2, lines: Array("a\nb\n".utf8), isAtEnd: true)
        #expect(try reader(file).answer(.page(sid: 1, from: 1)) == .page(page))
    }

    /// A killed process has left three appends in the spool, and the first of them is already in the log.
    @Test func recoveryStoresEachLeftoverAppendOnce() throws {
        do {
            let store = try open()
            _ = try claim(store)
            _ = store.commit([append(after: 0, "a")])
        }
        let store = try open([append(after: 0, "a"), append(after: 1, "b"), append(after: 2, "c")])
        #expect(!store.isNew)
        let page = UpdatePage(first: 1, count: 3, lines: Array("a\nb\nc\n".utf8), isAtEnd: true)
        let reader = try reader(file)
        #expect(reader.answer(.page(sid: 1, from: 1)) == .page(page))
        guard case .sessions(let records) = reader.answer(.incarnation(sid: 1)) else { throw UnexpectedAnswer() }
        #expect(records.map(\.state) == [.ended])
        #expect(records.map(\.exit) == [SessionRecord.crashedExit])
    }

    @Test func theNextConnectionContinuesWithTheLeftovers() throws {
        var store: WriteConnection? = try open()
        _ = try claim(try #require(store))
        let leftovers = try #require(store).leftovers
        store = nil
        let next = try WriteConnection(file: file, durability: .normal, continuing: leftovers)
        #expect(next.commit([append(after: 0, "a")]) == [.appended(head: 1, timelineHead: 1)])
    }

    @Test func aCopyContainsTheSessions() throws {
        let store = try open()
        _ = try claim(store)
        _ = store.commit([append(after: 0, "a")])
        let path = folder.file("copy.db", "")
        try store.copy(toFile: path)
        #expect(try Connection(path: path, .readWrite).integer("SELECT count(*) FROM run") == 1)
    }

    @Test func aRescueCopiesTheSessionsIntoANewLog() throws {
        do {
            let store = try open()
            _ = try claim(store)
            _ = store.commit([append(after: 0, "a")])
            store.checkpointAll()
        }
        let fresh = LogFile(path: folder.file("fresh.db", ""))
        #expect(try Rescue.copy(from: file.path, to: fresh) == 1)
        let page = UpdatePage(first: 1, count: 1, lines: Array("a\n".utf8), isAtEnd: true)
        #expect(try reader(fresh).answer(.page(sid: 1, from: 1)) == .page(page))
    }
}
