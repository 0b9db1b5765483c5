import CSQLite
import Glibc
import SQLite
import SessionRecords
import TestSupport
import Testing

@testable import SessionLog
@testable import SessionStore

@Suite struct FileTests {
    let folder = TemporaryFolder()

    @Test func aSecondOpenIsRefusedWithTheLockPath() throws {
        let client = try BlockingLogClient(folder.log)
        let error = #expect(throws: LogError.self) { try BlockingLogClient(folder.log) }
        #expect(error == .locked(lockPath: folder.log + ".lock"))
        #expect(error?.description.contains("log.db.lock") == true)
        _ = try client.claim()
    }

    @Test func aFileThatIsNoPartOfANewLogIsSetAsideAlsoIfItHasNoHeader() throws {
        var bytes = [UInt8](repeating: 0, count: 5 * 16384)
        bytes[4 * 16384 + 100] = 1
        _ = folder.file("log.db", bytes: bytes)
        let client = try BlockingLogClient(folder.log)
        #expect(client.log.damaged?.path == folder.log + ".damaged")
        _ = try client.claim()
    }

    @Test(arguments: Durability.allCases)
    func filesArePrivateToTheirOwner(durability: Durability) throws {
        let client = try BlockingLogClient(folder.log, durability: durability)
        _ = try client.claim()
        let spool = durability == .normal ? ["log.db-spool"] : []
        #expect(folder.names == ["log.db", "log.db-lines", "log.db-shm"] + spool + ["log.db-wal", "log.db.lock"])
        for name in folder.names { #expect(folder.mode(of: name) == 0o600, "\(name)") }
    }

    @Test func aFileReadableByOthersIsMadePrivate() throws {
        try BlockingLogClient(folder.log).log.close()
        #expect(chmod(folder.log, 0o644) == 0)
        let client = try BlockingLogClient(folder.log)
        _ = try client.claim()
        #expect(folder.mode(of: "log.db") == 0o600)
        #expect(folder.mode(of: "log.db-wal") == 0o600)
    }

    @Test(
        .enabled(if: geteuid() == 0, "only root can give a file away"),
        arguments: ["log.db", "log.db-lines", "log.db-spool"])
    func aFileOfAnotherUserIsRefused(name: String) throws {
        try BlockingLogClient(folder.log).log.close()
        let path = "\(folder.path)/\(name)"
        close(open(path, O_WRONLY | O_CREAT, 0o600))
        #expect(chown(path, 65534, 65534) == 0)
        #expect(throws: LogError.foreignFile(path: path, owner: 65534)) { try BlockingLogClient(folder.log) }
    }

    @Test(arguments: ["log.db.lock", "log.db-lines", "log.db-spool"]) func aSymbolicLinkIsNotFollowed(name: String)
        throws
    {
        let victim = "\(folder.path)/victim"
        #expect(symlink(victim, "\(folder.path)/\(name)") == 0)
        #expect(throws: LogError.self) { try BlockingLogClient(folder.log) }
        #expect(access(victim, F_OK) != 0)
    }

    @Test func aNewerSchemaIsRefused() throws {
        try BlockingLogClient(folder.log).log.close()
        #expect(LogHeader.fault(of: folder.log) == nil)
        try execute("PRAGMA user_version=\(Schema.version + 1)")
        #expect(
            LogHeader.fault(of: folder.log)
                == .laterVersion(found: Schema.version + 1, supported: Schema.version))
        #expect(throws: LogError.newerSchema(path: folder.log, found: Schema.version + 1, supported: Schema.version)) {
            try BlockingLogClient(folder.log)
        }
    }

    @Test func aFileThatIsNoDatabaseIsRecognisedByItsHeader() throws {
        #expect(LogHeader.fault(of: folder.log) == nil, "no file")
        let file = fopen(folder.log, "w")
        fputs("SQLite format 2", file)
        fclose(file)
        #expect(LogHeader.fault(of: folder.log) == .noDatabase)
    }

    @Test func anotherDatabaseIsRefused() throws {
        try execute("CREATE TABLE t(a)")
        #expect(throws: LogError.notASessionLog(path: folder.log)) { try BlockingLogClient(folder.log) }
    }

    @Test func aFileThatIsNotADatabaseIsMovedAsideUnchanged() throws {
        let descriptor = open(folder.log, O_WRONLY | O_CREAT, 0o600)
        let text = String(repeating: "not a database ", count: 100)
        #expect(write(descriptor, text, text.utf8.count) == text.utf8.count)
        close(descriptor)
        let client = try BlockingLogClient(folder.log)
        #expect(client.log.damaged?.path == folder.log + ".damaged")
        #expect(client.log.damaged?.rescuedSessions == 0)
        var status = stat()
        #expect(stat(folder.log + ".damaged", &status) == 0)
        #expect(status.st_size == text.utf8.count)
        try client.append(try client.claim(), after: 0, [.run(["1"])])
    }

    @Test func theErrorForAMissingFolderContainsThePath() throws {
        let path = folder.path + "/none/log.db"
        #expect(throws: LogError.system(operation: "open", path: path + ".lock", errno: ENOENT)) {
            try BlockingLogClient(path)
        }
    }

    @Test func theDatabaseSettingsAreApplied() throws {
        let client = try BlockingLogClient(folder.log)
        _ = try client.claim()
        let connection = try Connection(path: folder.log, .readOnly)
        #expect(try connection.integer("PRAGMA page_size") == 16384)
        #expect(try connection.integer("PRAGMA user_version") == Schema.version)
        let mode = try connection.prepare("PRAGMA journal_mode").first { $0.text(0) }
        #expect(mode == "wal")
    }

    /// Opening syncs nothing. The log answers a claim only after the tables that opening wrote are in the file itself;
    /// SQLite syncs them on the way.
    @Test(arguments: Durability.allCases)
    func theTablesAreInTheFileBeforeAClaimIsAnswered(durability: Durability) throws {
        let client = try BlockingLogClient(folder.log, durability: durability)
        _ = try client.claim()
        let copy = folder.path + "/copy.db"
        try TemporaryFolder.copy(folder.log, to: copy)
        #expect(try Connection(path: copy, .readWrite).integer("PRAGMA user_version") == Schema.version)
    }

    private func execute(_ sql: String) throws {
        let descriptor = open(folder.log, O_RDWR | O_CREAT, 0o600)
        close(descriptor)
        try Connection(path: folder.log, .readWrite).execute(sql)
    }
}
