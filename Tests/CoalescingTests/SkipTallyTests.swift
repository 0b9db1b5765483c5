import Coalescing
import Testing

@Suite struct SkipTallyTests {
    @Test func skipsAreReportedAtOnceAndThenOnceASecond() {
        var tally = SkipTally()
        #expect(tally.due == nil)
        tally.leftOut(3)
        #expect(tally.report(at: .seconds(10)) == SkipTally.Report(count: 3, total: 3))
        #expect(tally.report(at: .seconds(10)) == nil)
        tally.leftOut(4)
        #expect(tally.due == .seconds(11))
        #expect(tally.report(at: .seconds(10.9)) == nil)
        tally.leftOut(5)
        #expect(tally.report(at: .seconds(11)) == SkipTally.Report(count: 9, total: 12))
        #expect(tally.due == nil)
        tally.leftOut(1)
        #expect(tally.report(at: .seconds(100)) == SkipTally.Report(count: 1, total: 13))
    }
}
