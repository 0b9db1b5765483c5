import JSONCoding
import JSONScan
import Testing

@testable import ACPRouting

/// The forms of the updates are those of Claude's adapter.
@Suite struct UsageReportTests {
    private func value(_ text: String) throws -> JSONValue { try JSONValue(validating: Array(text.utf8)) }

    private func update(_ text: String) throws -> UsageUpdate { UsageUpdate(try value(text)) }

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
            try update(#"{"used":5,"size":10,"_meta":{"_claude/rateLimit":{"status":"allowed","utilization":0.5}}}"#))
        report.apply(try update(#"{"used":6,"size":10,"cost":{"amount":0.5,"currency":"USD"}}"#))
        report.apply(try update(#"{"used":7,"size":10}"#))
        let json = String(decoding: try #require(report.json), as: UTF8.self)
        #expect(json == #"{"used":7,"size":10,"cost":{"amount":0.5,"currency":"USD"}}"#)
        #expect(report.rateLimit?.used == 0.5)
        report.apply(try update(#"{"used":8,"size":10,"cost":null}"#))
        #expect(report.cost == nil && report.used == 8)
    }

    @Test func aReportIsReadAsItWasStored() throws {
        var report = UsageReport()
        let name = String(repeating: "x", count: 64)
        report.apply(
            try update(
                #"""
                {"used":9223372036854775807,"size":9223372036854775807,
                "cost":{"amount":999999999999.9999,"currency":"ABCDEFGHIJKLMNOP"},"_meta":{"_claude/rateLimit":
                {"status":"allowed_warning","rateLimitType":"\#(name)","utilization":0.1234567890123456,"resetsAt":1800000000}}}
                """#))
        #expect(report.cost != nil && report.rateLimit?.window?.count == 64)
        let stored = try #require(report.storedText)
        #expect(UsageReport(storedText: stored).storedText == stored)
        #expect(stored.utf8.count <= 512)
        #expect(UsageReport(storedText: "{") == UsageReport())
    }

    @Test func valuesOfAnotherFormAreLeftOut() throws {
        var report = UsageReport()
        report.apply(
            try update(
                #"{"used":18446744073709551615,"size":1.5,"cost":{"amount":1,"currency":"12345678901234567"}}"#))
        #expect(report == UsageReport())
    }

    // MARK: Runs

    private func cost(_ amount: Double, _ currency: String = "USD") throws -> UsageUpdate {
        try update(#"{"cost":{"amount":\#(amount),"currency":"\#(currency)"}}"#)
    }

    @Test func theLastCostsOfTheRunsAreAdded() throws {
        var report = UsageReport()
        for amounts in [[0.25, 0.5], [0.125, 0.25]] {
            report.runBegan()
            report.prompted()
            for amount in amounts { report.apply(try cost(amount)) }
        }
        #expect(report.cost == UsageCost(amount: 0.75, currency: "USD"))
        report.runBegan()
        #expect(report.cost?.amount == 0.75, "the new run has not reported yet")
        report.apply(try cost(0))
        #expect(report.cost?.amount == 0.75)
    }

    /// Such an agent sums the stored messages of the session.
    @Test func anAgentThatReportsACostBeforeThePromptHasCountedAllRuns() throws {
        var report = UsageReport()
        report.runBegan()
        report.prompted()
        report.apply(try cost(0.5))
        report.runBegan()
        report.apply(try cost(0.5))
        report.prompted()
        report.apply(try cost(0.75))
        #expect(report.cost?.amount == 0.75)
        report.runBegan()
        report.prompted()
        report.apply(try cost(1))
        #expect(report.cost?.amount == 1.75, "each run is judged by itself")
    }

    @Test func theStoredCostIsAddedWheneverItArrives() throws {
        let stored = UsageReport(storedText: #"{"used":1,"size":9,"cost":{"amount":0.5,"currency":"USD"}}"#)
        var (early, late) = (UsageReport(), UsageReport())
        early.runBegan()
        early.resume(stored)
        #expect(early.cost?.amount == 0.5 && early.used == 1)
        early.prompted()
        early.apply(try cost(0.25))
        late.runBegan()
        late.prompted()
        late.apply(try cost(0.25))
        late.resume(stored)
        #expect(early == late && late.cost?.amount == 0.75)
    }

    @Test func costsInDifferentCurrenciesAreNotAdded() throws {
        var report = UsageReport()
        report.runBegan()
        report.prompted()
        report.apply(try cost(5, "credits"))
        report.runBegan()
        report.prompted()
        report.apply(try cost(0.5))
        #expect(report.cost == UsageCost(amount: 0.5, currency: "USD"))
    }

    @Test func aHandOverKeepsTheCostsOfTheRuns() throws {
        var report = UsageReport()
        report.runBegan()
        report.prompted()
        report.apply(try cost(0.5))
        report.runBegan()
        report.prompted()
        report.apply(try update(#"{"used":1,"size":2,"cost":{"amount":0.25,"currency":"USD"}}"#))
        let text = try JSONTextEncoder().encode(report)
        var next = try JSONTextDecoder().decode(UsageReport.self, from: text)
        #expect(next == report)
        next.apply(try cost(0.375))
        #expect(next.cost?.amount == 0.875)
        let earlier = Array(#""{\"used\":1,\"size\":2,\"cost\":{\"amount\":1,\"currency\":\"USD\"}}""#.utf8)
        var inherited = try JSONTextDecoder().decode(UsageReport.self, from: earlier)
        inherited.apply(try cost(2))
        #expect(inherited.cost?.amount == 2, "the version before had one cost for the whole session")
    }

    @Test(arguments: [
        #"{"amount":1e308,"currency":"USD"}"#, #"{"amount":-5,"currency":"USD"}"#, #"{"amount":1e13,"currency":"USD"}"#,
        #"{"amount":1,"currency":"\u001b[31m"}"#, #"{"amount":1,"currency":"U\u202eD"}"#,
        #"{"amount":1,"currency":""}"#,
        #"{"amount":1}"#,
    ])
    func anAmountOrCurrencyOutsideOfTheLimitsCountsAsMissing(cost: String) throws {
        #expect(UsageCost(try JSONValue(validating: Array(cost.utf8))) == nil)
    }

    @Test func creditsAndLargeAmountsAreKept() throws {
        for cost in [#"{"amount":1e12,"currency":"Kreditpunkte"}"#, #"{"amount":0,"currency":"\u20ac"}"#] {
            #expect(UsageCost(try JSONValue(validating: Array(cost.utf8))) != nil)
        }
    }
}
