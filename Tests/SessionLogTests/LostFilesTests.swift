import Glibc
import SQLite
import SessionRecords
import TestSupport
import Testing

@testable import SessionLog
@testable import SessionStore

/// Files of an open log are deleted, moved or replaced.
@Suite struct LostFilesTests {
    let folder: TemporaryFolder
    let client: BlockingLogClient
    let lease: Lease

    init() throws {
        folder = TemporaryFolder()
        client = try BlockingLogClient(folder.log)
        lease = try client.claim()
        // Store data in the file, in the WAL, and in the spool.
        try client.append(lease, after: 0, [.run([String(repeating: "x", count: 20_000)])])
        try client.append(lease, after: 1, [.entry("prompt", "p"), .run(["2"])])
    }

    enum Loss: CaseIterable { case deleted, moved, replaced }

    /// The file was deleted between the moment when the bridge opened it and the moment when it noted what it has open.
    @Test(arguments: OpenedFiles.Part.allCases)
    func anOpenFileWithoutANameIsLost(part: OpenedFiles.Part) throws {
        let folder = TemporaryFolder()
        let file = LogFile(path: folder.log)
        let lock = try LogLock(file)
        let (store, _) = try LogThreads.openStore(file, .normal)
        let spool = try SpoolFile(path: file.spoolPath)
        func lost() -> [OpenedFiles.Part] {
            OpenedFiles(file, lock: lock, lines: store.outside.file.identity, spool: spool.identity).lost
        }
        #expect(lost().isEmpty)
        #expect(unlink(file.path(of: part)) == 0)
        #expect(lost() == [part])
    }

    private func lose(_ suffix: String, _ loss: Loss) throws {
        let path = folder.log + suffix
        switch loss {
        case .deleted: #expect(unlink(path) == 0)
        case .moved: #expect(rename(path, folder.path + "/moved" + suffix) == 0)
        case .replaced:
            try TemporaryFolder.copy("/etc/passwd", to: folder.path + "/other")
            #expect(rename(folder.path + "/other", path) == 0)
        }
    }

    /// Makes the log check its files, and waits until it has done so.
    private func check() throws -> [Answer] {
        client.log.checkFiles()
        // The line is too large for the spool, so the writer's thread stores it, after the check.
        let line = String(repeating: "x", count: 20_000)
        return try client.unasked { try client.append(lease, after: 2, [.run([line])]) }
    }

    private func expectWhole(_ path: String, count: Int) throws {
        let next = try BlockingLogClient(path)
        #expect(try next.page(lease.sid).count == count)
        #expect(try next.timeline(lease.sid).items.count == count + 1)
        #expect(try next.sessions().first?.journal.logId == lease.journal.logId)
        let connection = try Connection(path: path, .readOnly)
        #expect(try connection.prepare("PRAGMA integrity_check").first { $0.text(0) } == "ok")
    }

    @Test(arguments: Loss.allCases, ["", "-wal", "-shm", "-lines", "-spool", ".lock"])
    func lostFilesAreRestoredWithoutDataLoss(loss: Loss, suffix: String) throws {
        try lose(suffix, loss)
        #expect(try check().contains(.filesRestored([folder.log + suffix])))
        try client.append(lease, after: 3, [.run(["4"])])
        // Copy the files in the state in which a bridge that is killed now would leave them.
        let left = TemporaryFolder()
        try folder.copyLog(to: left)
        try expectWhole(left.log, count: 4)
        #expect(throws: LogError.self) { try BlockingLogClient(folder.log) }
        client.log.close()
        try expectWhole(folder.log, count: 4)
    }

    @Test(arguments: Durability.allCases)
    func allFilesAndTheirFolderAreRestored(durability: Durability) throws {
        let folder = TemporaryFolder()
        mkdir(folder.path + "/state", 0o700)
        let path = folder.path + "/state/log.db"
        let client = try BlockingLogClient(path, durability: durability)
        let lease = try client.claim()
        try client.append(lease, after: 0, [.run(numbered(1...1000))])
        try client.append(lease, after: 1000, [.run(["1001"])])
        #expect(rename(folder.path + "/state", folder.path + "/gone") == 0)
        client.log.checkFiles()
        try client.append(lease, after: 1001, [.run(["1002"])])
        #expect(try client.page(lease.sid).count == 1002)
        client.log.close()
        #expect(try BlockingLogClient(path).page(lease.sid).count == 1002)
        for name in ["gone", "state"] {
            for file in ["", "-wal", "-shm", "-lines", "-spool", ".lock"] {
                unlink(folder.path + "/\(name)/log.db" + file)
            }
            rmdir(folder.path + "/" + name)
        }
    }

    @Test func aReplacementDatabaseIsMovedAside() throws {
        let other = TemporaryFolder()
        try BlockingLogClient(other.log).log.close()
        #expect(rename(other.log, folder.log) == 0)
        _ = try check()
        #expect(folder.names.contains("log.db.found"))
        #expect(try Connection(path: folder.log + ".found", .readOnly).integer("SELECT count(*) FROM session") == 0)
        #expect(try client.page(lease.sid).count == 3)
    }

    @Test func anUnreportedLossIsRepairedWhenTheLogCloses() throws {
        try lose("", .deleted)
        client.log.close()
        try expectWhole(folder.log, count: 2)
    }

    /// A folder takes the file's name, so that the file cannot be restored.
    @Test func requestsFailUntilALostFileCanBeRestored() throws {
        try lose("", .deleted)
        try lose(".lock", .deleted)
        mkdir(folder.log + ".new", 0o700)
        mkdir(folder.log + ".new/x", 0o700)
        client.log.checkFiles()
        // The line is too large for the spool, which the writer's thread may not have closed yet.
        let line = String(repeating: "x", count: 20_000)
        let answer = client.ask(.append(sid: lease.sid, epoch: 1, after: 2, items: [.run([line])]))
        guard case .failed(.filesLost(folder.log, _)) = answer else { throw UnexpectedAnswer(answer: answer) }
        let read = client.ask(.page(sid: lease.sid, from: 1))
        guard case .failed(.filesLost) = read else { throw UnexpectedAnswer(answer: read) }
        let claim = client.ask(.claim(agent: "a", sessionId: "new", mode: .fresh, facts: SessionFacts()))
        guard case .failed(.filesLost) = claim else { throw UnexpectedAnswer(answer: claim) }
        rmdir(folder.log + ".new/x")
        rmdir(folder.log + ".new")
        client.log.checkFiles()
        try client.append(lease, after: 2, [.run(["3"])])
        #expect(try client.page(lease.sid).count == 3)
    }

    /// Files on a mount come back by themselves.
    @Test func theLogContinuesWhenALostFileComesBack() throws {
        try lose("", .moved)
        mkdir(folder.log + ".new", 0o700)
        mkdir(folder.log + ".new/x", 0o700)
        client.log.checkFiles()
        let read = client.ask(.page(sid: lease.sid, from: 1))
        guard case .failed(.filesLost) = read else { throw UnexpectedAnswer(answer: read) }
        #expect(rename(folder.path + "/moved", folder.log) == 0)
        client.log.checkFiles()
        try client.append(lease, after: 2, [.run(["3"])])
        #expect(try client.page(lease.sid).count == 3)
    }

    /// A bridge that cannot start after it has begun to open the log.
    @Test func anOpeningThatIsDroppedClosesTheLogEvenIfItsFilesAreLost() throws {
        let folder = TemporaryFolder()
        let file = LogFile(path: folder.log)
        for losesFiles in [false, true] {
            let opening = try LogOpening(path: folder.log, durability: .normal) {}
            if losesFiles { for part in OpenedFiles.Part.allCases { unlink(file.path(of: part)) } }
            withExtendedLifetime(opening) {}
        }
        _ = try BlockingLogClient(folder.log)
    }

    // MARK: Two at once

    @Test func aSecondOpenIsRefusedAfterTheLockIsDeleted() throws {
        unlink(folder.log + ".lock")
        #expect(throws: LogError.locked(lockPath: folder.log)) { try BlockingLogClient(folder.log) }
    }

    @Test func aSecondOpenIsRefusedUnderAnotherName() throws {
        let other = TemporaryFolder()
        #expect(link(folder.log, other.log) == 0)
        #expect(throws: LogError.locked(lockPath: other.log)) { try BlockingLogClient(other.log) }
    }

    @Test func aClosedLogCanBeOpenedUnderAnotherName() throws {
        client.log.close()
        let other = TemporaryFolder()
        #expect(rename(folder.log, other.log) == 0)
        #expect(try BlockingLogClient(other.log).page(lease.sid).count == 2)
    }
}
