import Testing

@testable import SessionStreams

@Suite struct PageCacheLimitTests {
    @Test func requestingEachPageOnceKeepsTheLimit() {
        var limit = PageCacheLimit()
        for page in 0..<1_000 as Range<Int64> {
            limit.asked(of: 1, number: page * 100)
            limit.gaveUp(page * 100..<page * 100 + 100, of: 1)
        }
        #expect(limit.bytes == PageCacheLimit.least)
        #expect(!limit.isRaised)
    }

    @Test func requestingARecentlyEvictedPageDoublesTheLimit() {
        var limit = PageCacheLimit()
        limit.gaveUp(100..<200, of: 1)
        limit.asked(of: 2, number: 150)
        limit.asked(of: 1, number: 200)
        #expect(limit.bytes == PageCacheLimit.least)
        limit.asked(of: 1, number: 199)
        #expect(limit.bytes == 2 * PageCacheLimit.least)
        limit.asked(of: 1, number: 199)
        #expect(limit.bytes == 2 * PageCacheLimit.least, "the page was evicted under the previous limit")
    }

    @Test func theLimitHasAMaximum() {
        var limit = PageCacheLimit()
        for _ in 0..<20 {
            limit.gaveUp(1..<2, of: 1)
            limit.asked(of: 1, number: 1)
        }
        #expect(limit.bytes == PageCacheLimit.most)
    }

    @Test func requestingAPageEvictedLongAgoKeepsTheLimit() {
        var limit = PageCacheLimit()
        for page in 0..<1_000 as Range<Int64> { limit.gaveUp(page..<page + 1, of: 1) }
        limit.asked(of: 1, number: 700)
        #expect(!limit.isRaised)
        limit.asked(of: 1, number: 800)
        #expect(limit.isRaised)
    }

    @Test func theLimitIsLoweredAfterAPeriodWithoutRequests() {
        var limit = PageCacheLimit()
        limit.gaveUp(1..<2, of: 1)
        limit.asked(of: 1, number: 1)
        #expect([limit.lowerIfUnused(), limit.isRaised] == [false, true])
        #expect([limit.lowerIfUnused(), limit.isRaised] == [true, false])
    }
}
