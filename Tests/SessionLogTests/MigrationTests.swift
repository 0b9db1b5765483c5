import SQLite
import SessionRecords
import TestSupport
import Testing

@testable import SessionLog
@testable import SessionStore

/// Opens files that earlier versions made. `Fixtures/schema-1.db` has three incarnations: one with a whole turn of the
/// demo agent, and two with the same id of the rude agent. The first of these two has a prompt.
@Suite struct MigrationTests {
    let folder: TemporaryFolder

    init() throws {
        folder = TemporaryFolder()
        let fixture = #filePath.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/Fixtures/schema-1.db"
        try TemporaryFolder.copy(fixture, to: folder.log)
    }

    @Test func migratingVersion1KeepsSessionsAndAddsFirstPrompts() throws {
        let client = try BlockingLogClient(folder.log)
        let sessions = try client.sessions()
        #expect(sessions.map(\.sid) == [3, 2, 1])
        #expect(sessions.map(\.firstPrompt) == [nil, "Water the tomatoes", "5 chunks pace=0 mend the login test"])
        #expect(sessions.map(\.cwd) == ["/home/me/garden", "/home/me/garden", "/home/me/shop"])
        #expect(sessions.map(\.head) == [1, 5, 30])
        #expect(sessions.allSatisfy { $0.label == SessionLabel() && $0.state == .ended && $0.exit == "exit:0" })
        #expect(try client.timeline(1).items.count == 36)
    }

    @Test func aMigratedFileAcceptsCurrentRequests() throws {
        let client = try BlockingLogClient(folder.log)
        #expect(client.ask(.label(sid: 2, .title("Tomatoes"))) == .described)
        #expect(client.ask(.delete(sid: 1)) == .deleted)
        let lease = try client.claim("rude-1", agent: "rude-agent", mode: .continueLatest)
        #expect(lease.sid == 3 && lease.epoch == 2 && lease.head == 1)
        client.log.close()

        let again = try BlockingLogClient(folder.log)
        #expect(try again.sessions().map(\.label.title) == [nil, "Tomatoes"])
        let connection = try Connection(path: folder.log, .readOnly)
        #expect(try connection.integer("PRAGMA user_version") == Schema.version)
        #expect(try connection.integer("PRAGMA integrity_check") == 0, "the text `ok` reads as 0")
    }

    @Test func aMigratedFileHasTheTablesOfANewOne() throws {
        try BlockingLogClient(folder.log).log.close()
        let other = TemporaryFolder()
        try BlockingLogClient(other.log).log.close()
        #expect(try columns(folder.log) == columns(other.log))
    }

    private func columns(_ path: String) throws -> [String] {
        let connection = try Connection(path: path, .readOnly)
        let statement = try connection.prepare(
            """
            SELECT t.name || '.' || c.name || ' ' || c.type || ' ' || c."notnull" || ' ' || coalesce(c.dflt_value, '')
            FROM sqlite_schema t JOIN pragma_table_info(t.name) c WHERE t.type = 'table' ORDER BY t.name, c.cid
            """)
        return try statement.all { $0.text(0) ?? "" }
    }
}
