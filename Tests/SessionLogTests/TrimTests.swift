import SessionRecords
import TestSupport
import Testing

@testable import SessionLog

@Suite struct TrimTests {
    let folder: TemporaryFolder
    let client: BlockingLogClient
    let lease: Lease

    /// Stores 150 rounds of an entry and a run of 2.
    init() throws {
        folder = TemporaryFolder()
        client = try BlockingLogClient(folder.log)
        lease = try client.claim()
        for round in 0..<Int64(150) {
            try client.append(
                lease, after: round * 2,
                [.entry("turn", "\(round)"), .run(numbered((round * 2 + 1)...(round * 2 + 2)))])
        }
    }

    @Test(
        arguments: [(-1, 1), (0, 1), (1, 1), (2, 3), (3, 3), (250, 251), (299, 299), (300, 301), (.max, 301)]
            as [(Int64, Int64)])
    func trimDeletesWholeRunsAndKeepsTheOtherNumbers(upTo: Int64, oldest: Int64) throws {
        let before = try client.timeline(lease.sid).items
        #expect(client.ask(.trim(sid: lease.sid, upTo: upTo)) == .trimmed(oldest: oldest))
        let page = try client.page(lease.sid)
        #expect(page.first == oldest && page.count == Int(301 - oldest) && page.isAtEnd)

        let kept = try client.timeline(lease.sid).items
        #expect(kept == before.suffix(kept.count))
        #expect(kept.count { if case .update = $0 { true } else { false } } == Int(301 - oldest))
        for after in stride(from: Int64(0), through: 450, by: 7) {
            #expect(try client.timeline(lease.sid, after: after).items == kept.filter { $0.n > after })
        }
    }

    @Test func aTrimOfEverythingKeepsTheHeads() throws {
        #expect(client.ask(.trim(sid: lease.sid, upTo: .max)) == .trimmed(oldest: 301))
        let record = try #require(try client.sessions().first)
        #expect(record.head == 300 && record.timelineHead == 450 && record.oldest == 301)
        let next = try client.claim(mode: .continueLatest)
        #expect(next.head == 300 && next.timelineHead == 450 && next.oldest == 301)
        #expect(try client.append(next, after: 300, [.run(["301"]), .entry("turn")]) == (301, 452))
        #expect(try client.timeline(lease.sid).items.map(\.n) == [451, 452])
        #expect(try client.updates(lease.sid, .ts(0)).updates.map(\.seq) == [301])
    }

    @Test func aReaderBelowTheOldestUpdateIsReset() throws {
        #expect(client.ask(.trim(sid: lease.sid, upTo: 100)) == .trimmed(oldest: 101))
        #expect(client.position(lease.sid, lease.journal, 100) == .position(.valid))
        #expect(client.position(lease.sid, lease.journal, 99) == .position(.resetTo(first: 101)))
    }

    @Test func appendsContinueDuringATrim() throws {
        let trim = client.submit(.trim(sid: lease.sid, upTo: 300))
        try client.append(lease, after: 300, [.run(["301"])])
        #expect(client.answer(to: trim) == .trimmed(oldest: 301))
        #expect(try client.page(lease.sid).lines == Array("301\n".utf8))
    }

    @Test func trimmingAnUnknownSessionIsAnError() {
        #expect(client.ask(.trim(sid: 99, upTo: 1)) == .failed(.unknownSession(sid: 99)))
    }
}
