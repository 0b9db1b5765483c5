import CSQLite
import Glibc
import SessionRecords
import TestSupport
import Testing

@testable import SessionLog
@testable import SessionStore

@Suite struct SpoolRecordTests {
    private let records = [
        SpoolRecord(
            .append(sid: 7, epoch: 2, after: 40, items: [.run(["a", "b"]), .entry("prompt", "{}"), .run([""])]),
            timelineHead: 55, generation: 3, logId: 0xfedc_ba98),
        SpoolRecord(
            .append(sid: .max, epoch: .max, after: .min, items: []), timelineHead: .max, generation: 3, logId: 1),
        SpoolRecord(
            .append(sid: 1, epoch: 1, after: 0, items: [.entry("", "")]), timelineHead: 0, generation: 3, logId: 1),
    ].compactMap { $0 }

    private var bytes: [UInt8] { records.flatMap { $0.encoded() } }

    private func decoded(_ bytes: [UInt8]) -> [SpoolRecord] { bytes.withUnsafeBytes { SpoolRecord.records(in: $0) } }

    @Test func recordsRoundTrip() {
        #expect(records.count == 3)
        #expect(decoded(bytes) == records)
        #expect(decoded(bytes + [UInt8](repeating: 0, count: 5_000)) == records)
    }

    @Test func aTruncatedRecordIsNotRead() {
        let ends = records.map { $0.encoded().count }
        for count in 0..<bytes.count {
            let whole = count >= ends[0] + ends[1] ? 2 : count >= ends[0] ? 1 : 0
            #expect(decoded(Array(bytes.prefix(count))) == Array(records.prefix(whole)))
        }
    }

    @Test func readingStopsAtAWrongBit() {
        let first = records[0].encoded().count
        for index in bytes.indices {
            var wrong = bytes
            wrong[index] ^= 1 << UInt8(index % 8)
            let found = decoded(wrong)
            #expect(found == Array(records.prefix(found.count)))
            #expect(found.count < 3 && (index < first) == found.isEmpty)
        }
    }

    @Test func recordsOfAnEarlierGenerationAreNotRead() {
        let earlier = records.compactMap {
            SpoolRecord($0.append.operation, timelineHead: 0, generation: 2, logId: $0.logId)
        }
        let left = earlier.flatMap { $0.encoded() }.dropFirst(records[0].encoded().count)
        #expect(decoded(records[0].encoded() + left) == [records[0]])
    }

    /// The first record as schema version 8 had it.
    @Test func recordsWithoutATimelineNumberAreRead() {
        let record = records[0].encoded()
        var checked = Array(record[8..<12])
        checked += [3, 0, 0, 0]
        checked += record[16..<48] + record[56...]
        var earlier: [UInt8] = []
        for number in [UInt32(truncatingIfNeeded: CRC32C.of(checked[...])), UInt32(checked.count)] {
            withUnsafeBytes(of: number.littleEndian) { earlier += $0 }
        }
        let found = decoded(earlier + checked)
        #expect(found.map(\.items) == [records[0].items] && found.map(\.after) == [records[0].after])
        #expect(found.map(\.timelineHead) == [nil])
    }
}

/// Appends that are answered immediately from the spool are stored and read like those that the writer's thread stores.
@Suite struct SpoolTests {
    let folder: TemporaryFolder
    let client: BlockingLogClient
    private let kilobytes = LogItem.run([String(repeating: "x", count: 12_000)])

    init() throws {
        folder = TemporaryFolder()
        client = try BlockingLogClient(folder.log)
    }

    @Test func aSmallAppendIsAnsweredAtOnceAndCanBeRead() throws {
        // On a busy machine, 100 appends can take longer than the caller's thread is allowed to wait.
        client.log.limitWaiting(to: .seconds(3_600))
        let lease = try client.claim()
        for head in 1...100 as ClosedRange<Int64> {
            let ticket = client.submit(.append(sid: lease.sid, epoch: 1, after: head - 1, items: [.run(["x"])]))
            #expect(client.hasAnswer(to: ticket))
            #expect(client.answer(to: ticket) == .appended(head: head, timelineHead: head))
            #expect(try client.page(lease.sid).count == Int(head))
        }
    }

    @Test func theWriterAnswersAfterTheWaitingBudgetIsSpent() throws {
        client.log.limitWaiting(to: .zero)
        let lease = try client.claim()
        for head in 1...10 as ClosedRange<Int64> {
            let ticket = client.submit(.append(sid: lease.sid, epoch: 1, after: head - 1, items: [.run(["x"])]))
            #expect(!client.hasAnswer(to: ticket))
            #expect(client.answer(to: ticket) == .appended(head: head, timelineHead: head))
        }
        #expect(try client.page(lease.sid).count == 10)
    }

    @Test func noAppendIsAnsweredAtOnceUnderFullDurability() throws {
        let folder = TemporaryFolder()
        let client = try BlockingLogClient(folder.log, durability: .full)
        let lease = try client.claim()
        let ticket = client.submit(.append(sid: lease.sid, epoch: 1, after: 0, items: [.run(["x"])]))
        #expect(!client.hasAnswer(to: ticket))
        #expect(client.answer(to: ticket) == .appended(head: 1, timelineHead: 1))
    }

    @Test func theWritersThreadIsToldOfTheFirstAppendAndWhenManyWait() throws {
        let spool = try Spool(path: folder.log + "-spool-alone", logId: 1, generation: 1, syncer: nil)
        spool.limitWaiting(to: .seconds(3_600))
        let claim = WriteRequest(ticket: 0, .claim(agent: "a", sessionId: "s", mode: .fresh, facts: SessionFacts()))
        #expect(spool.store(claim) == nil)
        let lease = Lease(
            journal: Journal(logId: 1, sid: 1, epoch: 1), oldest: 1, head: 0, timelineHead: 0, wasCreated: true)
        spool.done([claim], [.claimed(lease)]) { _ in
            ClaimedSession(epoch: 1, head: 0, timelineHead: 0, isSettled: false)
        }
        var told: [Int] = []
        for head in 0..<60 {
            let append = WriteRequest(ticket: 0, .append(sid: 1, epoch: 1, after: Int64(head), items: [kilobytes]))
            if try #require(spool.store(append)).mustWakeWriter { told.append(head) }
        }
        // 6 appends of 12,000 bytes have more than 64 KiB, 22 have more than 256 KiB.
        #expect(told == [0, 5, 21])
        #expect(spool.holdsMuch)
        #expect(spool.takeWaiting().operations.count == 60 && !spool.holdsMuch)
    }

    @Test func spooledAndDirectAppendsKeepTheirOrder() throws {
        let leases = try ["a", "b"].map { try client.claim($0) }
        var tickets: [UInt64] = []
        for number in 1...500 as ClosedRange<Int64> {
            let items: [LogItem] =
                number % 7 == 0 ? [.entry("prompt"), .run(["\(number)"])] : [.run(["\(number)"])]
            // This entry is too large for the spool.
            let padding = number % 11 == 0 ? [LogItem.entry("x", String(repeating: "x", count: 20_000))] : []
            tickets = leases.map {
                client.submit(.append(sid: $0.sid, epoch: $0.epoch, after: number - 1, items: items + padding))
            }
            for ticket in tickets {
                let timeline = number + number / 7 + number / 11
                #expect(client.answer(to: ticket) == .appended(head: number, timelineHead: timeline))
            }
        }
        for lease in leases {
            #expect(try client.page(lease.sid).lines == numbered(1...500).flatMap { Array($0.utf8) + [10] })
        }
    }

    /// The numbers are right, whichever other requests of the session are under way and whichever thread stores the
    /// updates.
    @Test func concurrentRequestsOfOneSessionGetCorrectNumbers() throws {
        var random = SeededGenerator(seed: 11)
        let lease = try client.claim()
        var (head, timelineHead): (Int64, Int64) = (0, 0)
        var others: [UInt64] = []
        for _ in 0..<2_000 {
            if Int.random(in: 0..<4, using: &random) == 0 {
                others.append(client.submit(.describe(sid: lease.sid, facts: SessionFacts(title: "t"))))
            }
            if Int.random(in: 0..<20, using: &random) == 0 { others.append(client.submit(.retain(Retention()))) }
            let size = Int.random(in: 0..<8, using: &random) == 0 ? 20_000 : 10
            let item =
                Bool.random(using: &random)
                ? LogItem.entry("x", String(repeating: "y", count: size)) : .run([String(repeating: "z", count: size)])
            if case .run = item { head += 1 }
            timelineHead += 1
            let answer = client.ask(
                .append(sid: lease.sid, epoch: 1, after: head - Int64(item.lineCount), items: [item]))
            #expect(answer == .appended(head: head, timelineHead: timelineHead))
        }
        for ticket in others { _ = client.answer(to: ticket) }
        var numbers: [Int64] = []
        while true {
            let page = try client.timeline(lease.sid, after: numbers.last ?? 0)
            numbers += page.items.map(\.n)
            if page.isAtEnd { break }
        }
        #expect(numbers == Array(1...timelineHead))
    }

    @Test func aLaterClaimFencesSpooledAppends() throws {
        for mode in [ClaimMode.continueLatest, .again(sid: 1)] {
            let lease = try client.claim(mode: mode)
            try client.append(lease, after: lease.head, [.run(["x"])])
            let next = try client.claim(mode: mode)
            #expect(next.head == lease.head + 1)
            let late = client.ask(.append(sid: lease.sid, epoch: lease.epoch, after: next.head, items: [.run(["y"])]))
            #expect(late == .failed(.fenced(epoch: next.epoch)))
            try client.end(next)
        }
    }

    @Test func invalidSpooledAppendsAreRefused() throws {
        let lease = try client.claim()
        let miscounted = LogItem.run(lines: Array("x\n".utf8), count: 2, ts: 1)
        let wrong = client.ask(.append(sid: lease.sid, epoch: 1, after: 0, items: [miscounted]))
        #expect(wrong == .failed(.miscountedRun(said: 2, found: 1)))
        #expect(client.ask(.append(sid: lease.sid, epoch: 1, after: 5, items: [.run(["x"])])) == .failed(.gap(head: 0)))
        try client.append(lease, after: 0, [.run(["x"])])
        #expect(client.ask(.append(sid: lease.sid, epoch: 1, after: 0, items: [.run(["x"])])) == .failed(.gap(head: 1)))
    }

    @Test func appendsToAnEndedIncarnationUpdateItsLastActivity() throws {
        let lease = try client.claim(facts: SessionFacts(lastTs: 0))
        try client.append(lease, after: 0, [.run(["x"])])
        try client.end(lease)
        try client.append(lease, after: 1, [.run(["y"], ts: 5_000)])
        try client.append(lease, after: 2, [.run(["z"], ts: 9_000)])
        #expect(try client.sessions().map(\.lastTs) == [9_000])
    }

    // MARK: The bridge is killed

    /// The files in the state in which a process that is killed now would leave them.
    private func filesLeft() throws -> TemporaryFolder {
        let copy = TemporaryFolder()
        try folder.copyLog(to: copy)
        return copy
    }

    @Test func updatesOnlyInTheSpoolSurviveARestart() throws {
        let leases = try ["a", "b"].map { try client.claim($0) }
        // These updates go into the log at once, and the spool starts its next lap.
        for lease in leases { try client.append(lease, after: 0, [.run(["1"])]) }
        _ = try client.page(leases[0].sid)
        for lease in leases { try client.append(lease, after: 1, [.entry("prompt", "p"), .run(["2", "3"])]) }
        let left = try filesLeft()
        for _ in 0..<2 {
            let next = try BlockingLogClient(left.log)
            for lease in leases {
                #expect(try next.page(lease.sid).lines == Array("1\n2\n3\n".utf8))
                #expect(try next.timeline(lease.sid).items.map(\.n) == [1, 2, 3, 4])
            }
            #expect(try next.sessions().map(\.exit) == [SessionRecord.crashedExit, SessionRecord.crashedExit])
        }
    }

    @Test func aKillAtAnyTimeLosesNoAnsweredAppend() throws {
        var random = SeededGenerator(seed: 7)
        let leases = try ["a", "b", "c"].map { try client.claim($0) }
        var heads = [Int64](repeating: 0, count: leases.count)
        var timelineHeads = heads
        for _ in 0..<60 {
            for _ in 0..<Int.random(in: 1...200, using: &random) {
                let index = Int.random(in: leases.indices, using: &random)
                let item = Bool.random(using: &random) ? LogItem.run(["\(heads[index] + 1)"]) : .entry("x", "y")
                (heads[index], timelineHeads[index]) = try client.append(leases[index], after: heads[index], [item])
            }
            // Brings all into the log. The spool's file keeps it, too.
            if Bool.random(using: &random) { _ = try client.page(leases[0].sid, maxBytes: 1) }
            let left = try filesLeft()
            let next = try BlockingLogClient(left.log)
            for (lease, head) in zip(leases, heads) {
                let page = try next.page(lease.sid)
                #expect(page.lines == (head == 0 ? [] : numbered(1...head)).flatMap { Array($0.utf8) + [10] })
            }
            let records = try next.sessions().sorted { $0.sid < $1.sid }
            #expect(records.map(\.timelineHead) == timelineHeads)
        }
    }

    @Test func anotherLogsSpoolIsIgnored() throws {
        let lease = try client.claim()
        try client.append(lease, after: 0, [.run(["x"])])
        let left = try filesLeft()
        unlink(left.log)
        unlink(left.log + "-wal")
        let fresh = try BlockingLogClient(left.log)
        #expect(try fresh.sessions().isEmpty)
        let own = try fresh.claim()
        try fresh.append(own, after: 0, [.run(["y"])])
        #expect(try fresh.page(own.sid).lines == Array("y\n".utf8))
    }

    @Test func closingTheLogRemovesItsSpool() throws {
        let lease = try client.claim()
        try client.append(lease, after: 0, [.run(["x"])])
        #expect(access(folder.log + "-spool", F_OK) == 0)
        client.log.close()
        #expect(access(folder.log + "-spool", F_OK) != 0)
        #expect(client.ask(.append(sid: lease.sid, epoch: 1, after: 1, items: [.run(["y"])])) == .failed(.closed))
        #expect(try BlockingLogClient(folder.log).page(lease.sid).count == 1)
    }

    // MARK: The log's disk is full

    @Test func spooledUpdatesOnAFullDiskAreKeptAndStoredFirst() throws {
        let lease = try client.claim()
        var head: Int64 = 0
        var isStuck = false
        // The writer's thread can be faster than the limit.
        while !isStuck, head < 1_000 {
            for _ in 0..<10 { head = try client.append(lease, after: head, [kilobytes]).head }
            client.log.limitGrowth(pages: 0)
            let answer = client.ask(.append(sid: lease.sid, epoch: 1, after: head, items: [kilobytes]))
            guard case .failed(.full) = answer else { throw UnexpectedAnswer(answer: answer) }
            if case .failed(.full) = client.ask(.page(sid: lease.sid, from: 1)) { isStuck = true }
            if !isStuck { client.log.limitGrowth(pages: nil) }
        }
        #expect(isStuck)
        // Requests for other sessions continue. No claim takes over the session while some of its data is on the way to
        // the log.
        #expect(try client.sessions().count == 1)
        for mode in [ClaimMode.continueLatest, .again(sid: lease.sid)] {
            let claim = client.ask(.claim(agent: "demo", sessionId: "s", mode: mode, facts: SessionFacts()))
            guard case .failed(.full) = claim else { throw UnexpectedAnswer(answer: claim) }
        }
        let left = try filesLeft()
        #expect(
            try BlockingLogClient(left.log).updates(lease.sid, .seq(.max), limit: 1, .backward).updates.map(\.seq) == [
                head
            ])

        client.log.limitGrowth(pages: nil)
        #expect(try client.append(lease, after: head, [kilobytes]).head == head + 1)
        #expect(try client.updates(lease.sid, .seq(.max), limit: 2, .backward).updates.map(\.seq) == [head + 1, head])
    }

    @Test func aLongWALIsCheckpointed() throws {
        let lease = try client.claim()
        let line = String(repeating: "x", count: 8_000)
        for number in 1...3_000 as ClosedRange<Int64> { try client.append(lease, after: number - 1, [.run([line])]) }
        // The WAL alone could contain all updates.
        #expect(folder.byteCount(of: "log.db") > 12 << 20)
    }
}

extension SpoolRecord {
    fileprivate func encoded() -> [UInt8] {
        var memory: [UInt8] = []
        let byteCount = encode(into: &memory)
        return Array(memory[..<byteCount])
    }
}
