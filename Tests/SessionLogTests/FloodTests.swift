import CSQLite
import Glibc
import SQLite
import SessionRecords
import TestSupport
import Testing

@testable import SessionLog
@testable import SessionStore

/// Runs whose lines are in the file of floods.
@Suite struct FloodTests {
    let folder = TemporaryFolder()

    /// A run of `count` lines of 1 KiB, and a number in each.
    private func run(_ range: ClosedRange<Int64>) -> LogItem {
        .run(range.map { number in "\(number) ".padded(to: 1023) })
    }

    private func integer(_ sql: String) throws -> Int64 { try Connection(path: folder.log, .readOnly).integer(sql) }

    private func lines(_ run: LogItem) throws -> [UInt8] {
        guard case .run(let lines, _, _) = run else { throw Unexpected() }
        return lines
    }

    private struct Unexpected: Error {}

    /// Opens the log. Its tables take no large run.
    private func openLog(_ folder: TemporaryFolder, _ durability: Durability = .normal) throws -> BlockingLogClient {
        let client = try BlockingLogClient(folder.log, durability: durability)
        client.log.limitTables(bytes: 0)
        return client
    }

    /// Changes the log's files while no log has them open.
    private func overwrite(_ suffix: String, from place: Int, count: Int) {
        let descriptor = open(folder.log + suffix, O_WRONLY)
        defer { close(descriptor) }
        let zeros = [UInt8](repeating: 0, count: count)
        #expect(pwrite(descriptor, zeros, count, place) == count)
    }

    /// Returns the used blocks of the file of floods.
    private var usedBlocks: Int {
        var status = stat()
        return stat(folder.log + "-lines", &status) == 0 ? Int(status.st_blocks) : -1
    }

    // MARK: Storing

    @Test(arguments: Durability.allCases)
    func runsOutsideOfTheTablesAreReadLikeOthers(durability: Durability) throws {
        let client = try openLog(folder, durability)
        let lease = try client.claim()
        let large = [run(2...41), run(43...742)]
        try client.append(lease, after: 0, [.run(["1"])])
        try client.append(lease, after: 1, [large[0], .entry("turn"), .run(["42"]), large[1]])
        let all = try Array("1\n".utf8) + lines(large[0]) + Array("42\n".utf8) + lines(large[1])
        #expect(try integer("SELECT sum(length(lines)) FROM run") == 5)
        #expect(folder.byteCount(of: "log.db-lines") == all.count - 5)

        var read: [UInt8] = []
        while true {
            let page = try client.page(lease.sid, from: Int64(read.count { $0 == 10 }) + 1)
            read += page.lines
            guard !page.isAtEnd else { break }
        }
        #expect(read == all)
        #expect(try client.page(lease.sid, from: 41).lines.starts(with: "41 ".utf8))
        #expect(try client.timeline(lease.sid, after: 40).items.first?.line?.starts(with: "41 ".utf8) == true)
        #expect(try client.updates(lease.sid, .seq(42), .backward).updates.map(\.seq) == (1...41).reversed())
        let answer = client.ask(.sizes(sid: lease.sid, partBytes: 1))
        guard case .sizes(let sizes) = answer else { throw UnexpectedAnswer(answer: answer) }
        #expect(sizes.reduce(0) { $0 + $1.bytes } == all.count)
    }

    @Test func aLineOverTheLimitIsReturnedEmptyAndIsNotRead() throws {
        let client = try openLog(folder)
        let lease = try client.claim()
        let long = "x".padded(to: 100_000)
        try client.append(lease, after: 0, [.run(["1"]), .run([long]), .run([long]), .run(["4"])])
        // The long lines can no longer be read.
        overwrite("-lines", from: 0, count: 200_002)
        let answer = client.ask(.timeline(sid: lease.sid, after: 0, lineLimitBytes: 99_999))
        guard case .timeline(let page) = answer else { throw UnexpectedAnswer(answer: answer) }
        #expect(page.items.map(\.line) == [Array("1".utf8), [], [], Array("4".utf8)] && page.isAtEnd)
        #expect(client.ask(.timeline(sid: lease.sid, after: 1)) == .failed(.damaged))
    }

    @Test func aLineOverTheLimitInTheTablesIsReturnedEmpty() throws {
        let client = try BlockingLogClient(folder.log)
        let lease = try client.claim()
        try client.append(lease, after: 0, [.run(["12345", "123456", ""])])
        let answer = client.ask(.timeline(sid: lease.sid, after: 0, lineLimitBytes: 5))
        guard case .timeline(let page) = answer else { throw UnexpectedAnswer(answer: answer) }
        #expect(page.items.map(\.line) == [Array("12345".utf8), [], []])
    }

    @Test func aBurstIsInTheTablesAndAFloodIsNot() throws {
        let client = try BlockingLogClient(folder.log)
        let lease = try client.claim()
        for number in 0..<40 as Range<Int64> {
            try client.append(lease, after: 256 * number, [run(256 * number + 1...256 * number + 256)])
        }
        #expect(try integer("SELECT sum(length(lines)) FROM run") >= 4 << 20)
        #expect(try integer("SELECT max(place) FROM run") > 1 << 20)
        #expect(try client.page(lease.sid, from: 40 * 256).lines.starts(with: "10240 ".utf8))
    }

    @Test func runsOfUpTo32KiBAreInTheTables() throws {
        let client = try openLog(folder)
        try client.append(try client.claim(), after: 0, [run(1...32)])
        #expect(try integer("SELECT length(lines) FROM run") == 32 << 10)
        #expect(folder.byteCount(of: "log.db-lines") == 0)
    }

    @Test func aFileThatHasReachedItsLastPlaceLeavesLargeRunsToTheTables() throws {
        try openLog(folder).log.close()
        try Connection(path: folder.log, .readWrite).execute(
            "UPDATE log SET lines_synced = \(LinesFile.largestPlace - 1)")
        let client = try openLog(folder)
        let lease = try client.claim()
        for number in 0..<2 as Range<Int64> {
            try client.append(lease, after: 40 * number, [run(40 * number + 1...40 * number + 40)])
        }
        #expect(try integer("SELECT count(*) FROM run WHERE place IS NOT NULL") == 1)
        #expect(try client.page(lease.sid).count == 80)
    }

    @Test func aFailedCommitLeavesNoGap() throws {
        let client = try openLog(folder)
        let lease = try client.claim()
        try client.append(lease, after: 0, [run(1...40)])
        client.log.limitGrowth(pages: 4)
        // The first of the two fits.
        let both = WriteRequest.Operation.append(
            sid: lease.sid, epoch: 1, after: 40, items: [run(41...80), .entry("turn"), run(81...180)])
        #expect(client.ask(both) == .failed(.full(SQLiteError(code: SQLITE_FULL))))
        client.log.limitGrowth(pages: nil)
        #expect(client.ask(both) == .appended(head: 180, timelineHead: 181))
        #expect(try integer("SELECT max(place + size) = sum(size) FROM run") == 1)
        #expect(try client.page(lease.sid).count == 180)
    }

    @Test(arguments: Durability.allCases)
    func aKilledBridgeLosesNone(durability: Durability) throws {
        let client = try openLog(folder, durability)
        let lease = try client.claim()
        for number in 0..<10 as Range<Int64> {
            try client.append(lease, after: 40 * number, [run(40 * number + 1...40 * number + 40)])
        }
        let left = TemporaryFolder()
        try folder.copyLog(to: left)
        let next = try openLog(left, durability)
        #expect(try next.sessions().map(\.head) == [400])
        #expect(try next.page(lease.sid, from: 361).count == 40)
    }

    // MARK: Starting

    @Test func theNextLinesComeBehindThoseWithoutARow() throws {
        do {
            let client = try openLog(folder)
            try client.append(try client.claim(), after: 0, [run(1...40)])
        }
        let descriptor = open(folder.log + "-lines", O_WRONLY | O_APPEND)
        #expect(write(descriptor, [1, 2, 3], 3) == 3)
        close(descriptor)
        let client = try openLog(folder)
        #expect(try client.page(1).count == 40)
        let lease = try client.claim("next")
        try client.append(lease, after: 0, [run(1...40)])
        #expect(try integer("SELECT max(place) FROM run") == (40 << 10) + 3)
        #expect(try client.page(lease.sid).count == 40)
    }

    /// A person has moved only the tables.
    @Test func aNewLogMovesTheLinesOfAnotherAside() throws {
        do {
            let client = try openLog(folder)
            try client.append(try client.claim(), after: 0, [run(1...40)])
        }
        #expect(rename(folder.log, folder.path + "/moved.db") == 0)
        let client = try openLog(folder)
        try client.append(try client.claim(), after: 0, [run(1...64)])
        #expect(folder.byteCount(of: "log.db-lines") == 64 << 10)
        #expect(folder.byteCount(of: "log.db-lines.found") == 40 << 10)
    }

    @Test func theFileIsMadePrivate() throws {
        try BlockingLogClient(folder.log).log.close()
        #expect(chmod(folder.log + "-lines", 0o644) == 0)
        _ = try openLog(folder)
        #expect(folder.mode(of: "log.db-lines") == 0o600)
    }

    /// A power cut has taken lines whose rows it left. They were not synced.
    @Test(arguments: [-1, 40 << 10, 60 << 10])
    func aRunWithoutItsLinesIsLostWithEverythingAfterIt(fileBytes: Int) throws {
        let client = try openLog(folder)
        let lease = try client.claim()
        let other = try client.claim("other")
        try client.append(lease, after: 0, [.run(["1"]), run(2...41)])
        try client.append(other, after: 0, [run(1...40)])
        try client.append(lease, after: 41, [.entry("kept"), run(42...81), .entry("lost")])
        let left = FloodTests()
        try folder.copyLog(to: left.folder)
        client.log.close()
        // The run has lost its first bytes, or the file has lost its end.
        if fileBytes < 0 {
            left.overwrite("-lines", from: 80 << 10, count: 100)
        } else {
            #expect(truncate(left.folder.log + "-lines", fileBytes) == 0)
        }
        // As if nothing had ever been synced.
        try Connection(path: left.folder.log, .readWrite).execute("UPDATE log SET lines_synced = 0")

        let next = try openLog(left.folder)
        #expect(try next.incarnation(lease.sid).map(\.head) == [41])
        #expect(try next.timeline(lease.sid).items.count == 42)
        #expect(try next.incarnation(other.sid).map(\.head) == [fileBytes < 0 ? 40 : 0])
        let again = try next.claim(mode: .continueLatest)
        #expect(again.head == 41 && again.timelineHead == 42)
        try next.append(again, after: 41, [run(42...81)])
        #expect(try next.page(lease.sid, from: 42).count == 40)
        #expect(next.position(lease.sid, lease.journal, 81) == .position(.resetTo(first: 42)))
    }

    /// Everything before a claim was synced. If it is lost all the same, that is damage, and the numbers stay.
    @Test func aRunBeforeTheLastClaimStays() throws {
        let client = try openLog(folder)
        let lease = try client.claim()
        try client.append(lease, after: 0, [run(1...40)])
        let again = try client.claim(mode: .continueLatest)
        try client.append(again, after: 40, [run(41...80)])
        let left = FloodTests()
        try folder.copyLog(to: left.folder)
        left.overwrite("-lines", from: 0, count: 100)
        try Connection(path: left.folder.log, .readWrite).execute("UPDATE log SET lines_synced = 0")
        let next = try openLog(left.folder)
        #expect(try next.incarnation(lease.sid).map(\.head) == [80])
        #expect(next.ask(.page(sid: lease.sid, from: 1)) == .failed(.damaged))
        #expect(try next.page(lease.sid, from: 41).count == 40)
    }

    @Test func linesThatWereSyncedAreNotReadAtTheStart() throws {
        do {
            let client = try openLog(folder)
            try client.append(try client.claim(), after: 0, [run(1...40)])
        }
        #expect(try integer("SELECT lines_synced FROM log") == 40 << 10)
        overwrite("-lines", from: 0, count: 100)
        let client = try openLog(folder)
        #expect(try client.sessions().map(\.head) == [40])
        #expect(client.ask(.page(sid: 1, from: 1)) == .failed(.damaged))
    }

    @Test func anEarlierFileTakesAFlood() throws {
        let fixture = #filePath.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/Fixtures/schema-3.db"
        try TemporaryFolder.copy(fixture, to: folder.log)
        let client = try openLog(folder)
        let lease = try client.claim("large")
        try client.append(lease, after: 0, [run(1...40)])
        #expect(try client.page(lease.sid).count == 40)
        #expect(folder.byteCount(of: "log.db-lines") == 40 << 10)
    }

    // MARK: Damage

    @Test(arguments: [
        "place = -1", "place = 1 << 62", "size = -1", "size = 0", "size = 1 << 62", "sum = 1", "size = NULL",
    ])
    func aDamagedRowIsReported(change: String) throws {
        do {
            let client = try openLog(folder)
            try client.append(try client.claim(), after: 0, [run(1...40)])
        }
        // Two rows, so that their sizes are added.
        try Connection(path: folder.log, .readWrite).execute(
            """
            INSERT INTO run(sid, first, count, ts, lines, sum, place, size)
            SELECT sid, 41, count, ts, lines, sum, place, size FROM run;
            UPDATE run SET \(change)
            """)
        let client = try openLog(folder)
        #expect(client.ask(.page(sid: 1, from: 1)) == .failed(.damaged))
        let sizes = client.ask(.sizes(sid: 1, partBytes: 1))
        guard case .sizes = sizes else { throw UnexpectedAnswer(answer: sizes) }
        let lease = try client.claim("other")
        try client.append(lease, after: 0, [run(1...40)])
        #expect(client.ask(.retain(Retention(usedBytes: 1))).isForgotten)
        #expect(client.ask(.delete(sid: 1)) == .failed(.unknownSession(sid: 1)), "retention has deleted it")
        while try integer("SELECT count(*) FROM session") == 2 || integer("SELECT count(*) FROM freed") > 0 {
            #expect(client.ask(.describe(sid: lease.sid, facts: SessionFacts())) == .described)
        }
        #expect(try client.page(lease.sid).count == 40)
    }

    /// Without the bounds of other runs, their lines would be freed.
    @Test(arguments: [
        "place = 0", "size = 1 << 31", "size = 1 << 30", "size = (1 << 31) - 1", "place = 1, size = 200000",
    ])
    func deletingADamagedRowFreesNoOtherLines(change: String) throws {
        do {
            let client = try openLog(folder)
            for name in ["before", "damaged", "after"] {
                let lease = try client.claim(name)
                try client.append(lease, after: 0, [run(1...40)])
                try client.end(lease)
            }
        }
        try Connection(path: folder.log, .readWrite).execute("UPDATE run SET \(change) WHERE sid = 2")
        let client = try openLog(folder)
        #expect(client.ask(.delete(sid: 2)) == .deleted)
        while try integer("SELECT count(*) FROM session") == 3 || integer("SELECT count(*) FROM freed") > 0 {
            _ = client.ask(.describe(sid: 1, facts: SessionFacts()))
        }
        for sid in [1, 3] as [Int64] { #expect(try client.page(sid).count == 40) }
    }

    @Test func aFileThatCannotBeReadDoesNotKeepTheLogClosed() throws {
        do {
            let client = try openLog(folder)
            try client.append(try client.claim(), after: 0, [run(1...40)])
            try client.append(try client.claim("small"), after: 0, [.run(["1"])])
        }
        // There is no memory for such a run. It is not damaged, as far as one can know.
        #expect(truncate(folder.log + "-lines", 1 << 42) == 0)
        try Connection(path: folder.log, .readWrite).execute(
            "UPDATE log SET lines_synced = 0; UPDATE run SET size = 1 << 41 WHERE sid = 1")
        let client = try openLog(folder)
        #expect(try client.page(2).count == 1)
        #expect(try client.incarnation(1).map(\.head) == [40])
    }

    @Test func aLostFileDamagesOnlyItsRuns() throws {
        do {
            let client = try openLog(folder)
            let lease = try client.claim()
            try client.append(lease, after: 0, [.run(["1"]), run(2...41)])
        }
        unlink(folder.log + "-lines")
        let client = try openLog(folder)
        #expect(try client.page(1).count == 1)
        #expect(client.ask(.page(sid: 1, from: 2)) == .failed(.damaged))
        let lease = try client.claim("other")
        try client.append(lease, after: 0, [run(1...40)])
        #expect(try client.page(lease.sid).count == 40)
        #expect(try integer("SELECT max(place) FROM run") == 40 << 10)
    }

    @Test func aDamagedLogIsMovedAsideWithItsFloodsAndTheyAreRescued() throws {
        do {
            let client = try openLog(folder)
            let lease = try client.claim()
            try client.append(lease, after: 0, [.run(["1"]), run(2...41)])
            try client.append(lease, after: 41, [run(42...81)])
        }
        try Connection(path: folder.log, .readWrite).execute(
            "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET rootpage = 9999 WHERE name = 'epoch'")
        let client = try openLog(folder)
        #expect(client.log.damaged?.rescuedSessions == 1)
        #expect(folder.byteCount(of: "log.db.damaged-lines") == 80 << 10)
        #expect(try client.page(1).count == 81)
        #expect(try integer("SELECT lines_synced FROM log") == 80 << 10)
    }

    @Test func aRescueEndsBeforeTheFirstLinesThatAreLost() throws {
        do {
            let client = try openLog(folder)
            let lease = try client.claim()
            try client.append(lease, after: 0, [.run(["1"]), run(2...41), .run(["42"])])
        }
        unlink(folder.log + "-lines")
        try Connection(path: folder.log, .readWrite).execute(
            "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET rootpage = 9999 WHERE name = 'epoch'")
        let client = try openLog(folder)
        #expect(client.log.damaged?.rescuedSessions == 1)
        #expect(try client.sessions().map(\.head) == [1])
    }

    // MARK: Deleting

    @Test func deletedLinesGiveTheirSpaceBack() throws {
        let client = try openLog(folder)
        let (kept, deleted) = (try client.claim("kept"), try client.claim("deleted"))
        try client.append(kept, after: 0, [run(1...64)])
        try client.append(deleted, after: 0, [run(1...1000)])
        try client.append(kept, after: 64, [run(65...128)])
        try client.end(deleted)
        let before = usedBlocks
        #expect(client.ask(.delete(sid: deleted.sid)) == .deleted)
        // Each of these requests is followed by some of the deletion.
        while try integer("SELECT count(*) FROM session") == 2 || integer("SELECT count(*) FROM freed") > 0 {
            #expect(client.ask(.describe(sid: kept.sid, facts: SessionFacts())) == .described)
        }
        #expect(before - usedBlocks >= 1990)
        #expect(try client.page(kept.sid).count == 128)
        let copy = TemporaryFolder()
        try folder.copyLog(to: copy)
        var bytes = [UInt8](repeating: 1, count: 1000 << 10)
        let descriptor = open(copy.log + "-lines", O_RDONLY)
        defer { close(descriptor) }
        #expect(pread(descriptor, &bytes, bytes.count, 64 << 10) == bytes.count)
        #expect(bytes.allSatisfy { $0 == 0 })
    }

    @Test func trimmedLinesGiveTheirSpaceBack() throws {
        let client = try openLog(folder)
        let lease = try client.claim()
        for number in 0..<4 as Range<Int64> {
            try client.append(lease, after: 100 * number, [run(100 * number + 1...100 * number + 100)])
        }
        let before = usedBlocks
        #expect(client.ask(.trim(sid: lease.sid, upTo: 300)) == .trimmed(oldest: 301))
        while try integer("SELECT count(*) FROM freed") > 0 {
            #expect(client.ask(.describe(sid: lease.sid, facts: SessionFacts())) == .described)
        }
        #expect(before - usedBlocks >= 590)
        #expect(try client.page(lease.sid, from: 301).count == 100)
    }

    /// The bridge was killed between the deletion of the rows and that of the lines.
    @Test func linesOfDeletedRowsAreFreedByTheNextStart() throws {
        do {
            let client = try openLog(folder)
            let (deleted, kept) = (try client.claim("deleted"), try client.claim("kept"))
            try client.append(kept, after: 0, [run(1...64)])
            try client.append(deleted, after: 0, [run(1...1000)])
        }
        try Connection(path: folder.log, .readWrite).execute("DELETE FROM run WHERE sid = 1")
        let before = usedBlocks
        let client = try openLog(folder)
        let lease = try client.claim()
        while try integer("SELECT count(*) FROM freed") > 0 {
            #expect(client.ask(.describe(sid: lease.sid, facts: SessionFacts())) == .described)
        }
        #expect(before - usedBlocks >= 1990)
        // The places are not used again: their deletion could be repeated after a power cut.
        try client.append(lease, after: 0, [run(1...64)])
        #expect(try integer("SELECT max(place) FROM run") == 1064 << 10)
    }

    @Test func theSizeLimitCountsFloods() throws {
        let client = try openLog(folder)
        for name in ["1", "2"] {
            let lease = try client.claim(name)
            try client.append(lease, after: 0, [run(1...1000)])
            try client.end(lease)
        }
        let answer = client.ask(.retain(Retention(usedBytes: 1_500_000)))
        guard case .forgotten(let forgotten) = answer else { throw UnexpectedAnswer(answer: answer) }
        #expect(forgotten.incarnations.map(\.sid) == [1])
        #expect(client.ask(.retain(Retention(usedBytes: 1_500_000))).isForgotten)
        #expect(try client.sessions().map(\.sid) == [2])
    }

    // MARK: A lost file

    enum Loss: CaseIterable { case deleted, replaced }

    @Test(arguments: Loss.allCases)
    func aFileThatIsLostWhileItIsOpenIsRestored(loss: Loss) throws {
        let client = try openLog(folder)
        let lease = try client.claim()
        try client.append(lease, after: 0, [run(1...3000)])
        #expect(client.ask(.trim(sid: lease.sid, upTo: 1500)) == .trimmed(oldest: 1281))
        if loss == .replaced { try TemporaryFolder.copy("/etc/passwd", to: folder.path + "/other") }
        let path = folder.log + "-lines"
        #expect((loss == .deleted ? unlink(path) : rename(folder.path + "/other", path)) == 0)
        client.log.checkFiles()
        try client.append(lease, after: 3000, [run(3001...3040)])
        #expect(folder.names.contains("log.db.found-lines") == (loss == .replaced))
        let left = TemporaryFolder()
        try folder.copyLog(to: left)
        let next = try openLog(left)
        #expect(try next.page(lease.sid, from: 1281).lines.starts(with: "1281 ".utf8))
        #expect(try next.page(lease.sid, from: 3001).count == 40)
    }
}

extension FloodTests {
    /// The file of floods is restored, and then the database cannot be, because a folder has its temporary name.
    @Test func aRestoredFileIsNotRestoredAgain() throws {
        let client = try openLog(folder)
        let lease = try client.claim()
        try client.append(lease, after: 0, [run(1...40)])
        mkdir(folder.log + ".new", 0o700)
        mkdir(folder.log + ".new/x", 0o700)
        for suffix in ["", "-lines"] { #expect(unlink(folder.log + suffix) == 0) }
        for _ in 0..<3 {
            client.log.checkFiles()
            let answer = client.ask(.append(sid: lease.sid, epoch: 1, after: 40, items: [run(41...80)]))
            guard case .failed(.filesLost(folder.log, _)) = answer else { throw UnexpectedAnswer(answer: answer) }
        }
        rmdir(folder.log + ".new/x")
        rmdir(folder.log + ".new")
        client.log.checkFiles()
        try client.append(lease, after: 40, [run(41...80)])
        #expect(try client.page(lease.sid).count == 80)
        #expect(!folder.names.contains { $0.contains("found") })
    }
}

extension Answer {
    fileprivate var isForgotten: Bool { if case .forgotten = self { true } else { false } }
}

extension TimelineItem {
    fileprivate var line: [UInt8]? { if case .update(_, _, _, let line) = self { line } else { nil } }
}

extension String {
    fileprivate func padded(to count: Int) -> String {
        self + String(repeating: "x", count: max(0, count - utf8.count))
    }
}
