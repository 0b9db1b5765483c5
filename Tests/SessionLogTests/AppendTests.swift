import SessionRecords
import TestSupport
import Testing

@testable import SessionLog

@Suite struct AppendTests {
    let folder: TemporaryFolder
    let client: BlockingLogClient

    init() throws {
        folder = TemporaryFolder()
        client = try BlockingLogClient(folder.log)
    }

    @Test func randomBatchesGetConsecutiveNumbers() throws {
        let lease = try client.claim()
        var head: Int64 = 0
        var timelineHead: Int64 = 0
        for _ in 0..<200 {
            var items: [LogItem] = []
            for _ in 0..<Int.random(in: 1...4) {
                if Bool.random() {
                    items.append(.entry("turn"))
                } else {
                    let count = Int64.random(in: 1...30)
                    items.append(.run(numbered((head + 1)...(head + count))))
                    head += count
                    timelineHead += count - 1
                }
                timelineHead += 1
            }
            let before = head - items.reduce(0) { $0 + $1.updateCount }
            let appended = try client.append(lease, after: before, items)
            #expect(appended == (head, timelineHead))
        }
        let page = try client.page(lease.sid)
        #expect(page.lines == numbered(1...head).flatMap { Array($0.utf8) + [10] })
        #expect(page.count == Int(head) && page.last == head && page.isAtEnd)
        #expect(try client.timeline(lease.sid).items.map(\.n) == Array(1...timelineHead))
    }

    @Test func anAppendAfterAnotherHeadIsRefusedAsAGap() throws {
        let lease = try client.claim()
        try client.append(lease, after: 0, [.run(["1", "2"])])
        for after: Int64 in [-1, 0, 1, 3, .max] {
            let answer = client.ask(
                .append(sid: lease.sid, epoch: lease.epoch, after: after, items: [.entry("turn"), .run(["x"])]))
            #expect(answer == .failed(.gap(head: 2)))
        }
        #expect(try client.timeline(lease.sid).items.count == 2)
        try client.append(lease, after: 2, [.run(["3"])])
    }

    @Test func aStaleEpochIsFenced() throws {
        let old = try client.claim()
        let new = try client.claim(mode: .continueLatest)
        #expect(new.sid == old.sid && new.epoch == 2)
        let answer = client.ask(.append(sid: old.sid, epoch: old.epoch, after: 0, items: [.run(["x"])]))
        #expect(answer == .failed(.fenced(epoch: 2)))
        try client.append(new, after: 0, [.run(["1"])])
    }

    @Test func anIncarnationNotClaimedSinceTheStartIsFenced() throws {
        let lease = try client.claim()
        client.log.close()
        let next = try BlockingLogClient(folder.log)
        let answer = next.ask(.append(sid: lease.sid, epoch: 1, after: 0, items: [.run(["x"])]))
        #expect(answer == .failed(.fenced(epoch: 0)))
    }

    @Test func anAppendWithAMiscountedRunStoresNothing() throws {
        let lease = try client.claim()
        let items: [LogItem] = [.run(["1"]), .entry("turn"), .run(lines: Array("a\nb".utf8), count: 2, ts: 0)]
        let answer = client.ask(.append(sid: lease.sid, epoch: 1, after: 0, items: items))
        #expect(answer == .failed(.miscountedRun(said: 2, found: 1)))
        #expect(try client.timeline(lease.sid).items.isEmpty)
    }

    @Test func aFailedRequestDoesNotFailOthersInItsTransaction() throws {
        let leases = try (0..<10).map { try client.claim("s\($0)") }
        let tickets = leases.map { lease in
            client.submit(
                .append(sid: lease.sid, epoch: 1, after: lease.sid % 3 == 0 ? 7 : 0, items: [.run(["1"])]))
        }
        for (lease, ticket) in zip(leases, tickets) {
            let expected: Answer = lease.sid % 3 == 0 ? .failed(.gap(head: 0)) : .appended(head: 1, timelineHead: 1)
            #expect(client.answer(to: ticket) == expected)
        }
    }

    @Test func linesOfEverySizeRoundTrip() throws {
        let lease = try client.claim()
        var head: Int64 = 0
        for size in [0, 1, 299, 4_000, 300_000, 5_000_000] {
            let line = String(repeating: "x", count: size)
            head = try client.append(lease, after: head, [.run([line, "", line])]).head
            let page = try client.page(lease.sid, from: head - 2, maxBytes: 1)
            #expect(page.count >= 1 && page.lines.starts(with: Array(line.utf8) + [10]))
        }
        #expect(head == 18)
    }

    @Test func twoHundredInterleavedSessionsKeepTheirOwnNumbers() throws {
        let leases = try (0..<200).map { try client.claim("s\($0)") }
        for round in 0..<Int64(20) {
            let tickets = leases.map { lease in
                client.submit(
                    .append(
                        sid: lease.sid, epoch: 1, after: round * 2,
                        items: [.run(["\(lease.sid):\(round * 2 + 1)", "\(lease.sid):\(round * 2 + 2)"])]))
            }
            for ticket in tickets {
                #expect(client.answer(to: ticket) == .appended(head: round * 2 + 2, timelineHead: round * 2 + 2))
            }
        }
        for lease in leases {
            let expected = (1...40).flatMap { Array("\(lease.sid):\($0)\n".utf8) }
            #expect(try client.page(lease.sid).lines == expected)
        }
    }
}

extension LogItem {
    fileprivate var updateCount: Int64 {
        if case .run(_, let count, _) = self { Int64(count) } else { 0 }
    }
}
