import Testing

@testable import BenchMeasuring

@Suite struct AlternationTests {
    /// Trials that record when they were performed. Each one's figure is the number of performed trials.
    private final class Log {
        var made: [String] = []

        func trial(_ name: String, repeats: Int = 1) -> Trial {
            Trial(subject: Subject(benchmark: name), repeats: repeats) {
                self.made.append(name)
                return [Figure(.milliseconds, Double(self.made.count { $0 == name }))]
            }
        }
    }

    @Test func trialsTakeTurnsAndTheFirstRunIsDropped() throws {
        let log = Log()
        let outcomes = try Alternation(runs: 2, progress: { _ in }).run([log.trial("a"), log.trial("b", repeats: 2)])
        #expect(log.made == ["a", "b", "a", "b", "b", "a", "b", "b"])
        #expect(outcomes.map(\.measurements) == [2, 4])
        #expect(outcomes[0].spreads.first?.spread == Spread(of: [2, 3]))
        #expect(outcomes[1].spreads.first?.spread == Spread(of: [2, 3, 4, 5]))
    }

    @Test func figuresKeepTheOrderOfTheFirstRun() {
        let runs = [
            [Figure(.p99Microseconds, 9), Figure(.p50Microseconds, 1)],
            [Figure(.p50Microseconds, 3), Figure(.p99Microseconds, 11)],
        ]
        let outcome = Alternation.outcome(Subject(benchmark: "latency"), runs)
        #expect(outcome.spreads.map(\.quantity) == [.p99Microseconds, .p50Microseconds])
        #expect(outcome.spreads.map(\.spread.median) == [10, 2])
    }

    @Test func aFailureEndsTheRuns() {
        let failing = Trial(subject: Subject(benchmark: "a")) { throw BenchFailure("no") }
        #expect(throws: BenchFailure.self) { try Alternation(runs: 1, progress: { _ in }).run([failing]) }
    }
}
