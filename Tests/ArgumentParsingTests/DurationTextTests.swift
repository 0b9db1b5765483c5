import Testing

@testable import ArgumentParsing

@Suite struct DurationTextTests {
    @Test(arguments: [
        ("0", Duration.zero), ("90", .seconds(90)), ("90s", .seconds(90)), ("10m", .seconds(600)),
        ("2h", .seconds(7200)), ("1d", .seconds(86_400)), ("500ms", .milliseconds(500)),
        ("36500d", .seconds(3_153_600_000)), ("3153600000000ms", .seconds(3_153_600_000)),
    ])
    func validTimesAreParsed(text: String, expected: Duration) { #expect(Duration(argument: text) == expected) }

    @Test(arguments: [
        "", "m", "-1", "+1", "1.5h", "1 h", "1w", "10M", "36501d", "3153600000001ms", "9223372036854775807ms",
        "9223372036854775807d", "٣s",
    ])
    func invalidTimesAreRejected(text: String) { #expect(Duration(argument: text) == nil) }

    @Test(arguments: [("1500ms", "1500ms"), ("90s", "90000ms"), ("36500d", "3153600000000ms"), ("0", "0ms")])
    func aTimeIsWrittenToTheMillisecond(text: String, argument: String) throws {
        let time = try #require(Duration(argument: text))
        #expect(time.argument == argument)
        #expect(Duration(argument: argument) == time)
    }
}
