import JSONScan
import Testing

@testable import ACPRouting

/// The forms of the updates are those of Claude's adapter.
@Suite struct UsageReportTests {
    private func value(_ text: String) throws -> JSONValue { try JSONValue(validating: Array(text.utf8)) }

    private func limit(_ info: String) throws -> RateLimit? {
        RateLimit(try value(#"{"sessionUpdate":"usage_update","_meta":{"_claude/rateLimit":\#(info)}}"#))
    }

    private func text(_ limit: RateLimit?) -> String? {
        limit.map { limit in String(decoding: JSONWriter.object { limit.write(to: &$0) }, as: UTF8.self) }
    }

    // MARK: Rate limits

    @Test func theShareOfTheNamedLimitIsRead() throws {
        let found = try limit(
            #"{"status":"allowed_warning","resetsAt":1800000000,"rateLimitType":"five_hour","utilization":0.5}"#)
        #expect(
            text(found) == #"{"state":"near","window":"five_hour","used":0.5,"resetsTs":1800000000000}"#)
    }

    @Test func ofSeveralLimitsTheFullestOneIsRead() throws {
        let found = try limit(
            #"""
            {"status":"allowed","resetsAt":1800000000,"rateLimitType":"five_hour","unifiedWindows":
            {"five_hour":{"utilization":0.07,"resetsAt":1800000000},"seven_day":{"utilization":0.81,"resetsAt":1800500000}}}
            """#)
        #expect(text(found) == #"{"state":"near","window":"seven_day","used":0.81,"resetsTs":1800500000000}"#)
    }

    @Test func aReachedLimitIsTheOneThatTheAgentNames() throws {
        let found = try limit(
            #"""
            {"status":"rejected","resetsAt":1800000000,"rateLimitType":"five_hour","unifiedWindows":
            {"five_hour":{"utilization":0.99},"seven_day":{"utilization":1,"resetsAt":1800500000}}}
            """#)
        #expect(text(found) == #"{"state":"reached","window":"five_hour","used":0.99,"resetsTs":1800000000000}"#)
    }

    @Test(arguments: [
        (#"{"status":"allowed"}"#, #"{"state":"ok"}"#),
        (#"{"status":5,"utilization":7,"resetsAt":-1}"#, #"{"state":"near","used":1.0}"#),
        (#"{"utilization":"x","resetsAt":1e300,"unifiedWindows":[3]}"#, #"{"state":"ok"}"#),
        (#"{"resetsAt":1800000000000}"#, #"{"state":"ok","resetsTs":1800000000000}"#),
    ])
    func partsOfAnotherFormAreLeftOut(info: String, expected: String) throws {
        #expect(text(try limit(info)) == expected)
    }

    @Test(arguments: [#"{}"#, #"{"_meta":3}"#, #"{"_meta":{"_claude/rateLimit":"x"}}"#])
    func anUpdateWithoutALimitHasNone(update: String) throws {
        #expect(RateLimit(try value(update)) == nil)
    }

    @Test func aLongNameIsLeftOut() throws {
        let name = String(repeating: "x", count: 65)
        #expect(text(try limit(#"{"rateLimitType":"\#(name)","utilization":0}"#)) == #"{"state":"ok","used":0.0}"#)
    }

    // MARK: Reports

    @Test func eachValueCountsUntilTheNextOne() throws {
        var report = UsageReport()
        #expect(report.json == nil)
        report.apply(
            try value(#"{"used":5,"size":10,"_meta":{"_claude/rateLimit":{"status":"allowed","utilization":0.5}}}"#))
        report.apply(try value(#"{"used":6,"size":10,"cost":{"amount":0.5,"currency":"USD"}}"#))
        report.apply(try value(#"{"used":7,"size":10}"#))
        let json = String(decoding: try #require(report.json), as: UTF8.self)
        #expect(json == #"{"used":7,"size":10,"cost":{"amount":0.5,"currency":"USD"}}"#)
        #expect(report.rateLimit?.used == 0.5)
        report.apply(try value(#"{"used":8,"size":10,"cost":null}"#))
        #expect(report.cost == nil && report.used == 8)
    }

    @Test func aReportIsReadAsItWasStored() throws {
        var report = UsageReport()
        let name = String(repeating: "x", count: 64)
        report.apply(
            try value(
                #"""
                {"used":9223372036854775807,"size":9223372036854775807,
                "cost":{"amount":-1.7976931348623157e308,"currency":"ABCDEFGHIJKLMNOP"},"_meta":{"_claude/rateLimit":
                {"status":"allowed_warning","rateLimitType":"\#(name)","utilization":0.1234567890123456,"resetsAt":1800000000}}}
                """#))
        #expect(report.cost != nil && report.rateLimit?.window?.count == 64)
        #expect(UsageReport(storedText: report.storedText) == report)
        #expect(report.storedText.utf8.count <= 512)
        #expect(UsageReport(storedText: "{") == UsageReport())
    }

    @Test func valuesOfAnotherFormAreLeftOut() throws {
        var report = UsageReport()
        report.apply(
            try value(
                #"{"used":18446744073709551615,"size":1.5,"cost":{"amount":1,"currency":"12345678901234567"}}"#))
        #expect(report == UsageReport())
    }
}
