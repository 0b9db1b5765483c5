import SessionRecords
import Testing

@testable import Hub

@Suite struct HubHistoryTests {
    private func history(_ claims: [(epoch: Int64, first: Int64, firstN: Int64)], seq: Int64, oldest: Int64 = 1)
        -> HubHistory
    {
        HubHistory(
            head: HubHead(epoch: claims.last?.epoch ?? 1, n: seq, seq: seq, seqN: seq, oldest: oldest, ts: 1),
            claims: claims.map { HubClaim(sid: 7, epoch: $0.epoch, first: $0.first, firstN: $0.firstN) })
    }

    /// A row with the updates `first ..< first + lines.count`.
    private func row(_ first: Int64, _ lines: String..., n: Int64? = nil) -> HubRow {
        HubRow(
            sid: 7, epoch: 1, n: n ?? first, first: first, count: Int64(lines.count), ts: 100, kind: nil,
            body: lines.flatMap { Array($0.utf8) + [0x0a] }, offsets: nil)
    }

    private func texts(_ page: UpdatePage?) -> String? { page.map { String(decoding: $0.lines, as: UTF8.self) } }

    /// Sums of such numbers would overflow. The database has no limits for them, and other bridges write to it.
    @Test(arguments: [Int64.max, .max / 2, -1, .min])
    func numbersOutOfRangeAreDamage(number: Int64) {
        func row(n: Int64 = 1, first: Int64 = 1, count: Int64 = 1) -> HubRow {
            HubRow(sid: 7, epoch: 1, n: n, first: first, count: count, ts: 100, kind: nil, body: [], offsets: nil)
        }
        #expect(row().isInRange)
        #expect(!row(n: number).isInRange && !row(first: number).isInRange && !row(count: number).isInRange)
        #expect(HubClaim(sid: 7, epoch: 1, first: 1, firstN: 1).isInRange)
        #expect(!HubClaim(sid: 7, epoch: 1, first: number, firstN: 1).isInRange)
        #expect(!HubClaim(sid: 7, epoch: 1, first: 1, firstN: number).isInRange)
        #expect(HubHead(n: 3, seq: 2, seqN: 2, ts: -5).isInRange)
        #expect(!HubHead(n: number).isInRange && !HubHead(seq: number).isInRange && !HubHead(oldest: number).isInRange)
        #expect(HubHead(ts: number).isInRange == (number == -1))
    }

    // MARK: Epochs

    @Test func rowsAreValidBelowTheClaimsOfAllLaterEpochs() {
        let history = history([(1, 1, 1), (2, 50, 60), (3, 30, 35)], seq: 90)
        #expect(history.stretch(ofUpdate: 29) == HubHistory.Stretch(epoch: 1, first: 1, end: 30))
        #expect(history.stretch(ofUpdate: 40) == HubHistory.Stretch(epoch: 3, first: 30, end: .max))
        #expect(history.stretch(ofUpdate: 70) == HubHistory.Stretch(epoch: 3, first: 30, end: .max))
        #expect(history.stretch(ofItem: 34) == HubHistory.Stretch(epoch: 1, first: 1, end: 35))
    }

    @Test func aReaderOfAnEarlierEpochContinuesBelowTheNextClaim() {
        let history = history([(1, 1, 1), (2, 50, 50)], seq: 90)
        #expect(history.position(epoch: 1, seq: 49) == .valid)
        #expect(history.position(epoch: 1, seq: 50) == .resetTo(first: 50))
        #expect(history.position(epoch: 2, seq: 90) == .valid)
    }

    @Test func aReaderAheadOfTheHubWaits() {
        let history = history([(1, 1, 1)], seq: 90)
        #expect(history.position(epoch: 1, seq: 95) == .valid)
        #expect(history.position(epoch: 2, seq: 95) == .valid)
    }

    @Test func aReaderBeforeTheOldestUpdateIsReset() {
        let history = history([(2, 50, 50)], seq: 90, oldest: 60)
        #expect(history.position(epoch: 2, seq: 58) == .resetTo(first: 60))
        #expect(history.position(epoch: 2, seq: 59) == .valid)
        #expect(history.position(epoch: 1, seq: 70) == .resetTo(first: 60))
    }

    // MARK: Pages

    @Test func aPageBeginsWithinARowAndEndsAtTheLimit() {
        let history = history([(1, 1, 1)], seq: 5)
        let rows = [row(1, "aa", "bb", "cc"), row(4, "dd", "ee")]
        let stretch = history.stretch(ofUpdate: 2)
        let page = history.page(of: rows, from: 2, in: stretch, limitBytes: 100)
        #expect(texts(page) == "bb\ncc\ndd\nee\n" && page?.isAtEnd == true && page?.last == 5)
        let short = history.page(of: rows, from: 2, in: stretch, limitBytes: 7)
        #expect(texts(short) == "bb\ncc\n" && short?.isAtEnd == false)
        #expect(texts(history.page(of: rows, from: 2, in: stretch, limitBytes: 1)) == "bb\n")
    }

    @Test func aPageEndsBeforeTheNextEpochAlsoWithinARow() {
        let history = history([(1, 1, 1), (2, 3, 3)], seq: 9)
        let page = history.page(
            of: [row(1, "a", "b", "c")], from: 1, in: history.stretch(ofUpdate: 1), limitBytes: 100)
        #expect(texts(page) == "a\nb\n" && page?.isAtEnd == false)
    }

    @Test func aPageEndsAtAGap() {
        let history = history([(1, 1, 1)], seq: 9)
        let page = history.page(
            of: [row(1, "a"), row(3, "c")], from: 1, in: history.stretch(ofUpdate: 1), limitBytes: 100)
        #expect(texts(page) == "a\n")
    }

    @Test func aRowWithTooFewLinesIsDamaged() {
        let history = history([(1, 1, 1)], seq: 9)
        let damaged = HubRow(
            sid: 7, epoch: 1, n: 1, first: 1, count: 3, ts: 1, kind: nil, body: Array("a\nb\n".utf8), offsets: nil)
        let stretch = history.stretch(ofUpdate: 1)
        #expect(history.page(of: [damaged], from: 1, in: stretch, limitBytes: 100) == nil)
        #expect(history.timeline(of: [damaged], from: 1, in: stretch, limitBytes: 100) == nil)
    }

    @Test func theTimelineHasUpdatesAndEntries() {
        let history = history([(1, 1, 1)], seq: 4)
        let entry = HubRow(
            sid: 7, epoch: 1, n: 3, first: 3, count: 0, ts: 1, kind: "prompt", body: Array("{}".utf8), offsets: nil)
        let rows = [row(1, "a", "b"), entry, row(3, "c", n: 4)]
        let page = history.timeline(of: rows, from: 2, in: history.stretch(ofItem: 2), limitBytes: 1_000)
        #expect(
            page?.items == [
                .update(n: 2, seq: 2, ts: 100, line: Array("b".utf8)),
                .entry(n: 3, seq: 2, ts: 1, kind: "prompt", body: Array("{}".utf8)),
                .update(n: 4, seq: 3, ts: 100, line: Array("c".utf8)),
            ])
        #expect(page?.isAtEnd == true)
    }

    @Test func aHistoryPageNamesTheStartOfTheNext() {
        var collector = HistoryCollector(limit: 2)
        for seq in Int64(1)...3 { collector.add(.update(n: seq, seq: seq, ts: 1, line: [0x61])) }
        #expect(collector.page.updates.map(\.seq) == [1, 2] && collector.page.nextSeq == 2 && collector.isFull)
    }
}

@Suite struct HubPlaceTests {
    @Test func placesKeepTheOrderOfLogsAndAreAboveOwnSessions() throws {
        let first = try #require(HubSid(logId: 1, own: 900))
        let second = try #require(HubSid(logId: Int64(UInt32.max), own: 3))
        #expect(first.sid < second.sid && first.sid > 1 << 61)
        #expect(HubSid(first.sid) == first && HubSid(second.sid) == second)
        #expect(HubSid(17) == nil)
        #expect(HubSid(logId: 1, own: 1 << 30) == nil && HubSid(logId: 1 << 32, own: 1) == nil)
    }

    private func listing(_ places: [(ts: Int64, sid: Int64)], hasMore: Bool = false) -> SessionListing {
        SessionListing(
            records: places.map { place in
                SessionRecord(
                    sid: place.sid, agent: "a", sessionId: "s", title: nil, cwd: nil, firstPrompt: nil, tenant: nil,
                    label: SessionLabel(), journal: Journal(logId: 1, sid: 1, epoch: 1), createdTs: 1,
                    lastTs: place.ts, oldest: 1, head: 0, timelineHead: 0, state: .ended, exit: nil)
            }, total: places.count, hasMore: hasMore)
    }

    @Test func twoListsBecomeOneInTheirOrder() {
        let merged = listing([(30, 1), (10, 2)]).merged(with: listing([(30, 9), (20, 8)]), limit: 3)
        #expect(merged.records.map(\.sid) == [9, 1, 8] && merged.total == 4 && merged.hasMore)
        let rest = listing([(10, 2)]).merged(with: listing([]), limit: 2)
        #expect(rest.records.map(\.sid) == [2] && !rest.hasMore)
    }

    @Test func nothingIsShownBehindTheEndOfAListThatHasMore() {
        let cut = listing([(30, 1), (20, 2)], hasMore: true)
        let merged = cut.merged(with: listing([(25, 9), (10, 8)]), limit: 10)
        #expect(merged.records.map(\.sid) == [1, 9, 2] && merged.hasMore)
    }
}

@Suite struct PollPaceTests {
    @Test func pausesDoubleWithoutChanges() {
        var pace = PollPace()
        let pauses = (0..<6).map { _ in pace.looked(foundChange: false, taking: .zero) }
        #expect(pauses == [20, 40, 80, 160, 200, 200].map { .milliseconds($0) })
        #expect(pace.looked(foundChange: true, taking: .zero) == .milliseconds(10))
    }

    @Test func slowLooksTakeHalfOfTheTime() {
        var pace = PollPace()
        #expect(pace.looked(foundChange: true, taking: .milliseconds(100)) == .milliseconds(100))
    }

    @Test func aFailedLookIsRepeatedLater() {
        var pace = PollPace()
        #expect(pace.failed() == .seconds(1))
        #expect(pace.looked(foundChange: false, taking: .zero) == .milliseconds(20))
    }
}
