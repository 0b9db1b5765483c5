import SessionRecords
import Testing

@Suite struct SessionQuotaTests {
    private func run(_ bytes: Int) -> [LogItem] {
        [.run(lines: [UInt8](repeating: 0x0a, count: bytes), count: 1, ts: 0)]
    }

    @Test func theOldestUpdatesAreCutOverTheLimit() {
        var quota = SessionQuota(limitBytes: 1600)
        for number in 1...16 { #expect(quota.stored(run(100), head: Int64(number)) == nil) }
        #expect(quota.stored(run(100), head: 17) == 1)
        #expect(quota.stored(run(350), head: 18) == 5)
    }

    @Test func smallAppendsAreCountedTogether() {
        var quota = SessionQuota(limitBytes: 1600)
        var cuts: [Int64] = []
        for number in 1...1000 {
            if let cut = quota.stored(run(10), head: Int64(number)) { cuts.append(cut) }
        }
        #expect(cuts == stride(from: 10, through: 840, by: 10).map { Int64($0) })
    }

    @Test func theNewestAppendIsKeptWhateverItsSize() {
        var quota = SessionQuota(limitBytes: 1600)
        #expect(quota.stored(run(5000), head: 1) == nil)
        #expect(quota.stored(run(5000), head: 2) == 1)
        let entry = LogItem.entry(kind: "turn_end", body: [UInt8](repeating: 0x20, count: 1000), ts: 0)
        #expect(quota.stored([entry], head: 2) == nil)
        #expect(quota.stored(run(1) + [entry], head: 3) == 2)
    }

    @Test func earlierUpdatesInTheLogCountTowardsTheQuota() {
        var quota = SessionQuota(limitBytes: 1600)
        #expect(quota.stored(run(100), head: 21) == nil)
        #expect(!quota.knowsPast)
        let past = (1...20).map { PartSize(last: Int64($0), bytes: 100) } + [PartSize(last: 21, bytes: 100)]
        #expect(quota.found(past) == 5)
        #expect(quota.knowsPast)
        #expect(quota.stored(run(100), head: 22) == 6)
    }
}
