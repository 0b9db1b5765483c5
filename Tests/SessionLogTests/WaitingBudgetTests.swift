import SessionRecords
import Testing

@testable import SessionLog

@Suite struct WaitingBudgetTests {
    private let start = ContinuousClock.now

    @Test func shortWaitsAreLimitedToATwentiethOfTheTime() {
        var budget = WaitingBudget(now: start)
        var allowed = 0
        for tick in 0..<100_000 where budget.allows(at: start + .microseconds(10) * tick) {
            budget.spend(.microseconds(25))
            allowed += 1
        }
        #expect((1_990...2_050).contains(allowed))
    }

    @Test func aLongWaitBlocksFurtherWaitsForTwentyTimesAsLong() {
        var budget = WaitingBudget(now: start)
        budget.spend(.milliseconds(101))
        let allowed = [1_999, 2_001].map { budget.allows(at: start + .milliseconds($0)) }
        #expect(allowed == [false, true])
    }

    @Test func idleTimeSavesAtMostOneMillisecond() {
        var budget = WaitingBudget(now: start)
        let before = budget.allows(at: start + .seconds(3_600))
        budget.spend(WaitingBudget.most)
        let after = budget.allows(at: start + .seconds(3_600))
        #expect(before && !after)
    }
}
