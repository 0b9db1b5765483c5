import Testing

@testable import SessionStore

@Suite struct TableAllowanceTests {
    private let start = ContinuousClock.now
    private let tables: Tables

    /// `#expect` cannot call a mutating method of a value.
    private final class Tables {
        private var allowance: TableAllowance

        init(_ now: ContinuousClock.Instant) { allowance = TableAllowance(now: now) }

        func take(_ size: Int, at now: ContinuousClock.Instant) -> Bool { allowance.take(size, at: now) }
    }

    init() { tables = Tables(start) }

    @Test func fourMiBAreTakenAtOnce() {
        let runs = (0..<20).map { _ in tables.take(256 << 10, at: start) }
        #expect(runs == Array(repeating: true, count: 16) + Array(repeating: false, count: 4))
    }

    @Test func oneMiBASecondIsTakenAfterwards() {
        #expect(tables.take(4 << 20, at: start))
        #expect(!tables.take(1 << 20, at: start + .milliseconds(999)))
        // A byte less, because the numbers are rounded.
        #expect(tables.take((1 << 20) - 1, at: start + .milliseconds(1000)))
        #expect(!tables.take(2, at: start + .milliseconds(1000)))
    }

    @Test func manyShortTimesEarnAsMuchAsALongOne() {
        #expect(tables.take(4 << 20, at: start))
        for step in 1..<10_000 { #expect(!tables.take(2 << 20, at: start + .nanoseconds(100 * step))) }
        #expect(tables.take(1047, at: start + .milliseconds(1)))
    }

    @Test func aRestEarnsNoMoreThanFourMiB() {
        #expect(!tables.take((4 << 20) + 1, at: start + .seconds(1_000_000_000)))
        #expect(tables.take(4 << 20, at: start + .seconds(1_000_000_000)))
    }

    @Test func aClockThatStandsStillOrGoesBackEarnsNothing() {
        #expect(tables.take(4 << 20, at: start))
        #expect(!tables.take(1, at: start - .seconds(10)))
        #expect(!tables.take(1, at: start))
    }
}
