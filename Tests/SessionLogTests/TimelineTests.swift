import SessionRecords
import TestSupport
import Testing

@testable import SessionLog

@Suite struct TimelineTests {
    let folder: TemporaryFolder
    let client: BlockingLogClient
    let lease: Lease

    /// E = an entry; a digit = a run with that many updates.
    static let plan = "EE3E1E5EEE2E"

    init() throws {
        folder = TemporaryFolder()
        client = try BlockingLogClient(folder.log)
        lease = try client.claim()
        var head: Int64 = 0
        for (index, character) in Self.plan.enumerated() {
            let ts = Int64(index) * 10
            if let count = character.wholeNumberValue {
                let lines = numbered((head + 1)...(head + Int64(count)))
                head = try client.append(lease, after: head, [.run(lines, ts: ts)]).head
            } else {
                head = try client.append(lease, after: head, [.entry("turn", "\(head)", ts: ts)]).head
            }
        }
    }

    /// The items that the plan must produce, computed without the log's arithmetic.
    private var expected: [TimelineItem] {
        var items: [TimelineItem] = []
        var seq: Int64 = 0
        for (index, character) in Self.plan.enumerated() {
            let ts = Int64(index) * 10
            if let count = character.wholeNumberValue {
                for _ in 0..<count {
                    seq += 1
                    items.append(.update(n: Int64(items.count + 1), seq: seq, ts: ts, line: Array("\(seq)".utf8)))
                }
            } else {
                items.append(
                    .entry(n: Int64(items.count + 1), seq: seq, ts: ts, kind: "turn", body: Array("\(seq)".utf8)))
            }
        }
        return items
    }

    @Test func updatesAndEntriesAreReturnedInOrder() throws {
        let page = try client.timeline(lease.sid)
        #expect(page.items == expected)
        #expect(page.isAtEnd)
    }

    @Test func aPageEndsAtTheLastNumberThatIsNeeded() throws {
        for after in 0..<expected.count {
            for last in after + 1...expected.count {
                let page = try client.timeline(lease.sid, after: Int64(after), through: Int64(last))
                #expect(page.items == Array(expected[after..<last]))
                #expect(!page.isAtEnd || last == expected.count)
            }
        }
        #expect(try client.timeline(lease.sid, after: 5, through: 5).items.isEmpty)
    }

    @Test func manyTimelinesAreReadTogether() throws {
        let other = try client.claim("another")
        _ = try client.append(other, after: 0, [.run(numbered(1...2), ts: 5)])
        let starts = [(lease.sid, 3), (9_999, 0), (other.sid, 1)].map { TimelineStart(sid: $0, after: $1) }
        let update = TimelineItem.update(n: 2, seq: 2, ts: 5, line: Array("2".utf8))
        #expect(
            client.ask(.timelines(starts))
                == .timelines([
                    TimelinePage(items: Array(expected.dropFirst(3)), isAtEnd: true), nil,
                    TimelinePage(items: [update], isAtEnd: true),
                ]))
        // The first page takes all the room.
        #expect(
            client.ask(.timelines(starts, maxBytes: 1))
                == .timelines([TimelinePage(items: [expected[3]], isAtEnd: false)]))
    }

    @Test func aTimelineResumesAtEveryNumberWithEveryPageSize() throws {
        for after in 0...expected.count {
            for maxBytes in [1, 70, 140, 500] {
                var items: [TimelineItem] = []
                while true {
                    let page = try client.timeline(lease.sid, after: items.last?.n ?? Int64(after), maxBytes: maxBytes)
                    items += page.items
                    if page.isAtEnd { break }
                    #expect(!page.items.isEmpty)
                }
                #expect(items == Array(expected[after...]))
            }
        }
    }

    @Test(arguments: [Int64.min, -1, 0])
    func aStartBeforeTheFirstItemReadsFromTheFirst(after: Int64) throws {
        #expect(try client.timeline(lease.sid, after: after).items.first?.n == 1)
    }

    @Test(arguments: [19, 1_000, Int64.max])
    func aStartAtTheLastItemReturnsAnEmptyLastPage(after: Int64) throws {
        #expect(try client.timeline(lease.sid, after: after) == TimelinePage(items: [], isAtEnd: true))
    }

    @Test func aClaimReturnsBothHeads() throws {
        let next = try client.claim(mode: .continueLatest)
        #expect(next.head == 11)
        #expect(next.timelineHead == 18 + 1)
    }

    @Test func entriesWithoutUpdatesAreNumbered() throws {
        let other = try client.claim("other")
        try client.append(other, after: 0, [.entry("start"), .entry("exit")])
        #expect(try client.timeline(other.sid).items.map(\.n) == [1, 2])
        #expect(try client.claim("other", mode: .continueLatest).timelineHead == 2)
    }
}
