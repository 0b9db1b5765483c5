import Testing

@testable import BenchMeasuring
@testable import acpbridge_bench

@Suite struct ReportTests {
    private func outcome(_ system: System, _ median: Double) throws -> Outcome {
        let spread = try #require(Spread(of: [median - 1, median, median + 2]))
        let subject = Subject(benchmark: "editor", system: system, settings: [Setting(name: "rate", value: 1_000)])
        return Outcome(subject: subject, measurements: 3, spreads: [(.p50Microseconds, spread)])
    }

    @Test func oneLineOfJSONContainsOneOutcome() throws {
        #expect(
            JSONReport.line(try outcome(.acpbridge, 30))
                == "{\"benchmark\":\"editor\",\"system\":\"acpbridge\",\"rate\":1000,\"measurements\":3,"
                + "\"p50Microseconds\":{\"median\":30.0,\"min\":29.0,\"max\":32.0}}")
    }

    @Test func oneLineOfJSONContainsTheRatiosToOtherSystems() throws {
        let line = JSONReport.line(
            try outcome(.acpbridge, 30), among: [try outcome(.direct, 20), try outcome(.websocketd, 60)])
        #expect(line.contains("\"max\":32.0,\"to\":{\"websocketd\":0.5,\"direct\":1.5}}"))
    }

    @Test func onlyEqualMeasurementsAreCompared() throws {
        let subject = Subject(benchmark: "editor", system: .direct, settings: [Setting(name: "rate", value: 500)])
        let spread = try #require(Spread(of: [20]))
        let other = Outcome(subject: subject, measurements: 1, spreads: [(.p50Microseconds, spread)])
        #expect(try outcome(.acpbridge, 30).ratio(of: .p50Microseconds, to: .direct, among: [other]) == nil)
    }

    @Test func theTableComparesWithOtherSystems() throws {
        var table = TableReport()
        table.add([try outcome(.direct, 20), try outcome(.acpbridge, 30)])
        #expect(
            table.text() == """
                benchmark  system     with       figure   median  min   max   to direct
                editor     direct     rate=1000  p50, µs  20.0    19.0  22.0
                editor     acpbridge  rate=1000  p50, µs  30.0    29.0  32.0  1.50x
                """)
    }

    @Test(arguments: [
        (0.0, "0.00"), (0.126, "0.13"), (1.005, "1.00"), (9.999, "10.00"), (12.34, "12.3"), (99.96, "100.0"),
        (100.4, "100"), (999.5, "1,000"), (1_234_567, "1,234,567"), (-1_234, "-1,234"), (-0.5, "-0.50"),
    ])
    func numbersHaveAboutThreeDigits(value: Double, text: String) { #expect(NumberText.of(value) == text) }
}
