import Testing

@testable import acpbridge_bench

@Suite struct CommandTests {
    @Test func nothingNamedMeansAllOfThem() throws {
        #expect(try Command.parse([]) == .measure(Benchmark.allCases, BenchOptions()))
    }

    @Test func benchmarksAndOptionsMayStandInAnyOrder() throws {
        var options = BenchOptions()
        options.runs = 3
        options.subscribers = [1, 10]
        options.json = true
        let words = ["--runs", "3", "fanout", "--subscribers=1,10", "latency", "--json"]
        #expect(try Command.parse(words) == .measure([.fanout, .latency], options))
    }

    @Test func theAgentsOwnCommandLineReadsBack() throws {
        var options = AgentOptions()
        options.lineBytes = 1_000
        options.linesPerWrite = 20
        options.rate = 500
        #expect(try Command.parse(["agent"] + options.arguments) == .agent(options))
    }

    @Test(arguments: [
        (["relais"], UsageError.unknown("relais")),
        (["--runs"], .missingValue("--runs")),
        (["--runs", "0"], .badNumber("--runs", "0", least: 1)),
        (["--runs", "many"], .badNumber("--runs", "many", least: 1)),
        (["--subscribers", "1,,2"], .badNumber("--subscribers", "", least: 1)),
        (["--size", "10"], .badNumber("--size", "10", least: UpdateLine.leastBytes)),
        (["agent", "--json"], .unknown("--json")),
    ])
    func wrongUseIsSaidPrecisely(words: [String], error: UsageError) {
        #expect(throws: error) { try Command.parse(words) }
    }
}
