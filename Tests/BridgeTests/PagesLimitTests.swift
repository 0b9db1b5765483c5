import Testing

@testable import Bridge
@testable import SessionStreams

@Suite struct PagesLimitTests {
    @Test func whoAsksForEachPageOnceLeavesItAsItIs() {
        var limit = PagesLimit()
        for page in 0..<1_000 as Range<Int64> {
            limit.asked(of: 1, number: page * 100)
            limit.gaveUp(page * 100..<page * 100 + 100, of: 1)
        }
        #expect(limit.bytes == PagesLimit.least)
        #expect(!limit.isRaised)
    }

    @Test func aPageThatHasJustGoneDoublesIt() {
        var limit = PagesLimit()
        limit.gaveUp(100..<200, of: 1)
        limit.asked(of: 2, number: 150)
        limit.asked(of: 1, number: 200)
        #expect(limit.bytes == PagesLimit.least)
        limit.asked(of: 1, number: 199)
        #expect(limit.bytes == 2 * PagesLimit.least)
        limit.asked(of: 1, number: 199)
        #expect(limit.bytes == 2 * PagesLimit.least, "it went under the limit before")
    }

    @Test func itHasABound() {
        var limit = PagesLimit()
        for _ in 0..<20 {
            limit.gaveUp(1..<2, of: 1)
            limit.asked(of: 1, number: 1)
        }
        #expect(limit.bytes == PagesLimit.most)
    }

    @Test func whatWentLongAgoIsForgotten() {
        var limit = PagesLimit()
        for page in 0..<1_000 as Range<Int64> { limit.gaveUp(page..<page + 1, of: 1) }
        limit.asked(of: 1, number: 700)
        #expect(!limit.isRaised)
        limit.asked(of: 1, number: 800)
        #expect(limit.isRaised)
    }

    @Test func itIsLoweredOnceNobodyHasAskedForATime() {
        var limit = PagesLimit()
        limit.gaveUp(1..<2, of: 1)
        limit.asked(of: 1, number: 1)
        #expect([limit.lowerIfUnused(), limit.isRaised] == [false, true])
        #expect([limit.lowerIfUnused(), limit.isRaised] == [true, false])
    }
}
