import SQLite
import SessionRecords
import TestSupport
import Testing

@testable import SessionStore

/// Small runs that are moved from the spool into the log together share rows.
@Suite struct SmallRunsTests {
    private let folder = TemporaryFolder()
    private let file: LogFile
    private let store: WriteConnection

    init() throws {
        file = LogFile(path: folder.file("log.db", ""))
        store = try WriteConnection(file: file, durability: .normal)
        try store.recover([], now: 1_000)
        try store.settle()
        for id in ["first", "second"] {
            _ = store.commit([.claim(agent: "demo", sessionId: id, mode: .fresh, facts: SessionFacts(lastTs: 1))])
        }
    }

    private func append(_ sid: Int64 = 1, after: Int64, _ items: LogItem...) -> WriteRequest.Operation {
        .append(sid: sid, epoch: 1, after: after, items: items)
    }

    private func run(_ line: String, ts: Int64) -> LogItem { .run(lines: Array((line + "\n").utf8), count: 1, ts: ts) }

    /// The numbers of each row's first update.
    private func rows(_ sid: Int64 = 1) throws -> [Int64] {
        try Connection(path: file.path, .readOnly).prepare("SELECT first FROM run WHERE sid = \(sid) ORDER BY first")
            .all {
                $0.integer(0)
            }
    }

    private func answer(_ query: ReadRequest.Query) throws -> Answer {
        try Reader(file, try LinesFile(readOnly: file.linesPath)).answer(query)
    }

    private func updates(
        _ start: HistoryStart, _ direction: HistoryDirection = .forward
    ) throws -> [HistoryPage.Update] {
        guard case .updates(let page) = try answer(.updates(sid: 1, start: start, limit: 100, direction: direction))
        else {
            return []
        }
        return page.updates
    }

    private func times() throws -> [Int64] { try updates(.seq(0)).map(\.ts) }

    @Test func appendsOfOneSessionShareARow() throws {
        let refusals = try store.transfer([
            append(after: 0, run("a", ts: 10)), append(2, after: 0, run("A", ts: 11)),
            append(after: 1, run("b", ts: 12), run("c", ts: 12)), append(2, after: 1, run("B", ts: 13)),
            append(after: 3, run("d", ts: 70_000)),
        ])
        #expect(refusals == [])
        #expect(try rows(1) == [1] && rows(2) == [1])
        #expect(
            try answer(.page(sid: 1, from: 2))
                == .page(UpdatePage(first: 2, count: 3, lines: Array("b\nc\nd\n".utf8), isAtEnd: true)))
        #expect(try times() == [10, 12, 12, 70_000])
        #expect(try updates(.seq(5), .backward).map(\.ts) == [70_000, 12, 12, 10])
        guard case .sessions(let records) = try answer(.incarnation(sid: 1)) else {
            Issue.record("no answer")
            return
        }
        #expect(records.map(\.lastTs) == [70_000] && records.map(\.head) == [4])
    }

    @Test(
        arguments: [(0, 1), (10, 1), (11, 2), (12, 2), (13, 4), (70_000, 4), (70_001, 5)] as [(Int64, Int64)], [1, 4])
    func historyStartsAtATimeInsideARow(start: (ts: Int64, first: Int64), rowCount: Int) throws {
        let appends = [10, 12, 12, 70_000].enumerated().map { append(after: Int64($0), run("x", ts: $1)) }
        let parts = rowCount == 1 ? [appends] : appends.map { [$0] }
        for part in parts { #expect(try store.transfer(part) == []) }
        #expect(try rows().count == rowCount)
        #expect(try updates(.ts(start.ts)).map(\.seq) == Array(start.first..<5))
        #expect(try updates(.ts(start.ts - 1), .backward).map(\.seq) == (1..<start.first).reversed())
    }

    @Test func anEntryEndsTheRow() throws {
        _ = try store.transfer([
            append(after: 0, run("a", ts: 1), .entry(kind: "prompt", body: Array("{}".utf8), ts: 2), run("b", ts: 3)),
            append(after: 2, run("c", ts: 3)),
        ])
        #expect(try rows() == [1, 2])
        guard case .timeline(let page) = try answer(.timeline(sid: 1, after: 0)) else {
            Issue.record("no answer")
            return
        }
        let times = page.items.map { item in
            switch item {
            case .update(_, _, let ts, _), .entry(_, _, let ts, _, _): ts
            }
        }
        #expect(times == [1, 2, 3, 3])
    }

    @Test func aRowHasAtMost4000BytesWithItsTimes() throws {
        let line = String(repeating: "x", count: 399)
        _ = try store.transfer((0..<25).map { append(after: $0, run(line, ts: 100 + $0)) })
        #expect(try rows() == [1, 10, 19])
        #expect(try times() == Array(100..<125))
    }

    @Test func longRunsHaveTheirOwnRows() throws {
        let long = String(repeating: "x", count: SmallRuns.longestRun)
        let lines = ["a", long, "b", String(long.dropLast())]
        _ = try store.transfer(lines.enumerated().map { append(after: Int64($0), run($1, ts: 5)) })
        #expect(try rows() == [1, 2, 3])
        #expect(try updates(.seq(0)).map { $0.line.count } == [1, 1_000, 1, 999])
    }

    @Test(arguments: [9, 9 - Int64(UInt32.max), .min, 11 + Int64(UInt32.max), .max])
    func timesThatARowCannotHoldBeginAnotherRow(ts: Int64) throws {
        _ = try store.transfer([append(after: 0, run("a", ts: 10)), append(after: 1, run("b", ts: ts))])
        #expect(try rows() == [1, 2])
        #expect(try times() == [10, ts])
    }

    @Test func theLongestTimeOfARowIsExact() throws {
        let last = 10 + Int64(UInt32.max)
        _ = try store.transfer([append(after: 0, run("a", ts: 10)), append(after: 1, run("b", ts: last))])
        #expect(try rows() == [1])
        #expect(try times() == [10, last])
    }

    @Test func aRefusedAppendLeavesTheOthersStored() throws {
        let refusals = try store.transfer([
            append(after: 0, run("a", ts: 1)), append(after: 5, run("lost", ts: 2)),
            append(2, after: 0, run("A", ts: 3)),
        ])
        #expect(refusals == [.gap(head: 1)])
        #expect(try rows(1) == [1] && rows(2) == [1])
    }

    /// A damaged column of times costs the times, not the lines.
    @Test(arguments: ["x''", "x'010000'", "zeroblob(400)", "NULL"])
    func aDamagedColumnOfTimesIsRead(value: String) throws {
        _ = try store.transfer([append(after: 0, run("a", ts: 10)), append(after: 1, run("b", ts: 20))])
        try Connection(path: file.path, .readWrite).execute("UPDATE run SET earlier = \(value)")
        #expect(try times() == [20, 20])
        #expect(try updates(.ts(15)).map(\.seq) == [1, 2])
    }

    @Test(arguments: [
        "session SET oldest = \(Int64.max)", "session SET oldest = \(Int64.min)", "entry SET at = \(Int64.min)",
        "entry SET at = \(Int64.max)", "entry SET n = \(Int64.min)", "run SET count = \(1 << 32)",
        "run SET count = \(1 << 62)", "run SET count = 3",
    ])
    func damagedNumbersOfOtherTablesDoNotTrap(change: String) throws {
        let entry = LogItem.entry(kind: "turn_end", body: Array("{}".utf8), ts: 15)
        _ = try store.transfer([append(after: 0, run("a", ts: 10), entry), append(after: 1, run("b", ts: 20))])
        try Connection(path: file.path, .readWrite).execute("UPDATE \(change)")
        let queries: [ReadRequest.Query] = [
            .page(sid: 1, from: 1), .timeline(sid: 1, after: 0), .timeline(sid: 1, after: 1), .incarnation(sid: 1),
            .updates(sid: 1, start: .seq(.max), limit: 9, direction: .backward), .sizes(sid: 1, partBytes: 9),
        ]
        for query in queries {
            if case .failed(let error) = try answer(query) { #expect(error.isDamage) }
        }
    }

    @Test(arguments: [
        "first = \(Int64.max)", "first = \(Int64.min)", "count = 0", "count = -1", "count = \(Int64.max)",
    ])
    func damagedNumbersAreReported(change: String) throws {
        _ = try store.transfer([append(after: 0, run("a", ts: 10)), append(after: 1, run("b", ts: 20))])
        try Connection(path: file.path, .readWrite).execute("UPDATE run SET \(change)")
        let queries: [ReadRequest.Query] = [
            .page(sid: 1, from: 1), .timeline(sid: 1, after: 0),
            .updates(sid: 1, start: .seq(0), limit: 9, direction: .forward),
            .updates(sid: 1, start: .ts(15), limit: 9, direction: .forward),
            .updates(sid: 1, start: .seq(.max), limit: 9, direction: .backward),
            .updates(sid: 1, start: .ts(15), limit: 9, direction: .backward),
        ]
        for query in queries {
            if case .failed(let error) = try answer(query) { #expect(error.isDamage) }
        }
        guard case .failed = try answer(.updates(sid: 1, start: .ts(15), limit: 9, direction: .forward)) else {
            Issue.record("damaged numbers were used")
            return
        }
    }
}
