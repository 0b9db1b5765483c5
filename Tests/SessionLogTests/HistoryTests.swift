import SessionRecords
import TestSupport
import Testing

@testable import SessionLog

@Suite struct HistoryTests {
    let folder: TemporaryFolder
    let client: BlockingLogClient
    let lease: Lease

    /// Stores updates 1...20 in runs of 1, 4, 5 and 10, at the times 100, 200, 300 and 400.
    init() throws {
        folder = TemporaryFolder()
        client = try BlockingLogClient(folder.log)
        lease = try client.claim()
        var head: Int64 = 0
        for (index, count) in [1, 4, 5, 10].enumerated() {
            let lines = numbered((head + 1)...(head + Int64(count)))
            head = try client.append(lease, after: head, [.run(lines, ts: Int64(index + 1) * 100)]).head
        }
    }

    @Test func forwardPagesContainEveryUpdateOnce() throws {
        for limit in 1...21 {
            var updates: [HistoryPage.Update] = []
            var start: Int64? = 0
            while let seq = start {
                let page = try client.updates(lease.sid, .seq(seq), limit: limit)
                #expect(page.updates.count <= limit)
                updates += page.updates
                start = page.nextSeq
            }
            #expect(updates.map(\.seq) == Array(1...20))
            #expect(updates.map(\.line) == numbered(1...20).map { Array($0.utf8) })
            #expect(updates.map(\.ts).prefix(6) == [100, 200, 200, 200, 200, 300])
        }
    }

    @Test func backwardPagesContainEveryUpdateOnce() throws {
        for limit in 1...21 {
            var updates: [HistoryPage.Update] = []
            var start: Int64? = .max
            while let seq = start {
                let page = try client.updates(lease.sid, .seq(seq), limit: limit, .backward)
                updates += page.updates
                start = page.nextSeq
            }
            #expect(updates.map(\.seq) == (1...20).reversed())
            #expect(updates.map(\.line) == numbered(1...20).reversed().map { Array($0.utf8) })
        }
    }

    @Test(
        arguments: [(.min, 1), (100, 1), (101, 2), (200, 2), (250, 6), (400, 11), (401, nil), (.max, nil)]
            as [(Int64, Int64?)])
    func forwardHistoryStartsAtTheGivenTime(ts: Int64, first: Int64?) throws {
        #expect(try client.updates(lease.sid, .ts(ts)).updates.first?.seq == first)
    }

    @Test(
        arguments: [(.min, nil), (99, nil), (100, 1), (200, 5), (250, 5), (399, 10), (400, 20), (.max, 20)]
            as [(Int64, Int64?)])
    func backwardHistoryStartsAtTheGivenTime(ts: Int64, last: Int64?) throws {
        #expect(try client.updates(lease.sid, .ts(ts), .backward).updates.first?.seq == last)
    }

    @Test(arguments: [Int64.min, -1, 0, 1, 21, .max])
    func everyStartNumberIsAccepted(seq: Int64) throws {
        #expect(try client.updates(lease.sid, .seq(seq)).updates.count == Int(20 - min(max(seq, 0), 20)))
        #expect(try client.updates(lease.sid, .seq(seq), .backward).updates.count == Int(min(max(seq, 1), 21) - 1))
    }

    @Test func aHistoryPageIsLimitedInBytesButNeverEmpty() throws {
        let line = String(repeating: "x", count: 700_000)
        let large = try client.claim("large")
        try client.append(large, after: 0, [.run([line, line, line + line])])
        for direction in [HistoryDirection.forward, .backward] {
            var start: Int64? = direction == .forward ? 0 : .max
            var counts: [Int] = []
            while let seq = start {
                let page = try client.updates(large.sid, .seq(seq), direction)
                counts.append(page.updates.count)
                start = page.nextSeq
            }
            #expect(counts == [1, 1, 1])
        }
    }
}
