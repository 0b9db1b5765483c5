import Posix
import Testing

@testable import SessionLog

@Suite struct WaitingBudgetTests {
    private let start = Instant.now

    @Test func shortWaitsAreLimitedToATwentiethOfTheTime() {
        var budget = WaitingBudget(now: start)
        var allowed = 0
        for tick in 0..<100_000 where budget.allows(at: start + .microseconds(10) * tick) {
            budget.spend(from: start, to: start + .microseconds(25))
            allowed += 1
        }
        // 2,000 in a second, and 400 with the time that was saved up.
        #expect((2_390...2_410).contains(allowed))
    }

    @Test func aLongWaitBlocksFurtherWaitsForTwentyTimesItsExcess() {
        var budget = WaitingBudget(now: start)
        budget.spend(from: start, to: start + .milliseconds(110))
        let allowed = [1_999, 2_001].map { budget.allows(at: start + .milliseconds($0)) }
        #expect(allowed == [false, true])
    }

    @Test func idleTimeSavesAtMostTenMilliseconds() {
        var budget = WaitingBudget(now: start)
        let before = budget.allows(at: start + .seconds(3_600))
        budget.spend(from: start, to: start + WaitingBudget.most)
        let after = budget.allows(at: start + .seconds(3_600))
        #expect(before && !after)
    }
}
