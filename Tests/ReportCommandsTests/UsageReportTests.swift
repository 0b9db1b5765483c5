import ACPRouting
import Invocations
import JSONScan
import Testing

@testable import ReportCommands

@Suite struct UsageReportTests {
    private func session(_ agent: String, _ usage: String) throws -> SessionUsage? {
        let text = #"{"sessionId":"s","agent":"\#(agent)","title":null,"lastTs":5,"usage":\#(usage)}"#
        return SessionUsage(try JSONValue(validating: Array(text.utf8)))
    }

    private static func sums(_ sessions: [SessionUsage], by grouping: UsageOptions.Grouping = .agent) -> [UsageSum] {
        UsageSum.sums(sessions, by: grouping)
    }

    @Test func theSumsCanBeByFolder() throws {
        let sessions = try [("/a", 5), ("/b", 15), ("/a", 25)].compactMap { folder, ts in
            let usage = #""usage":{"used":1,"size":2,"cost":{"amount":0.5,"currency":"USD"}}"#
            let limit = #""rateLimit":{"state":"ok"}"#
            let text = #"{"sessionId":"s","agent":"a","cwd":"\#(folder)","lastTs":\#(ts),\#(usage),\#(limit)}"#
            return SessionUsage(try JSONValue(validating: Array(text.utf8)))
        }
        func lines(_ grouping: UsageOptions.Grouping) -> [String] {
            Self.sums(sessions + [sessionWithoutFolder()].compactMap(\.self), by: grouping).map {
                String(decoding: $0.json(), as: UTF8.self)
            }
        }
        let (one, two) = (#"[{"amount":0.5,"currency":"USD"}]"#, #"[{"amount":1.0,"currency":"USD"}]"#)
        #expect(
            lines(.folder) == [
                #"{"folder":null,"sessions":1,"used":7,"costs":[]}"#,
                #"{"folder":"/a","sessions":2,"used":2,"costs":\#(two)}"#,
                #"{"folder":"/b","sessions":1,"used":1,"costs":\#(one)}"#,
            ])
    }

    @Test func theSumsOfADayHaveAllAgentsAndBridges() throws {
        let usd = #""costs":[{"amount":0.5,"currency":"USD"}]"#
        let tokens = #""tokens":{"total":9,"input":1,"output":8,"cachedRead":0,"cachedWrite":0}"#
        let text = #"""
            {"days":[{"startTs":15,"sums":[{"agent":"a","sessions":2,\#(tokens),\#(usd)},
                {"agent":"a","sessions":1,"costs":[{"amount":1,"currency":"EUR"}],"bridge":"b"}]},
             {"startTs":5,"sums":[{"agent":"c","sessions":1,\#(usd)}]}]}
            """#
        let sums = UsageSum.days(try JSONValue(validating: Array(text.utf8))) { "day \($0)" }
        #expect(
            sums.map { String(decoding: $0.json(), as: UTF8.self) } == [
                #"{"day":"day 15","sessions":3,\#(tokens),"costs":[{"amount":1.0,"currency":"EUR"},"#
                    + #"{"amount":0.5,"currency":"USD"}]}"#,
                #"{"day":"day 5","sessions":1,\#(usd)}"#,
            ])
    }

    @Test func aCorrectionOfAnEarlierDayIsShown() throws {
        let text =
            #"{"days":[{"startTs":5,"sums":[{"agent":"c","sessions":1,"costs":[{"amount":-0.25,"currency":"USD"}]}]}]}"#
        let sums = UsageSum.days(try JSONValue(validating: Array(text.utf8))) { "day \($0)" }
        #expect(sums.map(\.costText) == ["-0.2500 USD"])
    }

    private func sessionWithoutFolder() -> SessionUsage? { try? session("a", #"{"used":7,"size":9}"#) }

    @Test func aSessionWithoutUsageIsNotListed() throws {
        #expect(try session("a", "null") == nil)
        #expect(try session("a", #"{"used":1,"size":2}"#)?.cost == nil)
    }

    @Test func theSumsAreByAgentAndCurrency() throws {
        let sessions = try [
            session("b", #"{"used":100,"size":200,"cost":{"amount":0.25,"currency":"USD"}}"#),
            session("a", #"{"used":7,"size":200}"#),
            session("b", #"{"used":50,"size":200,"cost":{"amount":1,"currency":"USD"}}"#),
            session("b", #"{"used":1,"size":200,"cost":{"amount":3,"currency":"EUR"}}"#),
        ].compactMap(\.self)
        let sums = Self.sums(sessions)
        #expect(sums.map(\.name) == ["a", "b"])
        #expect(sums.map(\.used) == [7, 151])
        #expect(sums.map(\.sessions) == [1, 3])
        #expect(sums.map(\.costText) == ["-", "3.0000 EUR, 1.2500 USD"])
        #expect(
            String(decoding: sums[1].json(), as: UTF8.self)
                == #"{"agent":"b","sessions":3,"used":151,"costs":[{"amount":3.0,"currency":"EUR"},"#
                + #"{"amount":1.25,"currency":"USD"}]}"#)
    }

    /// An earlier fault: the cost of a subagent was added to that of its parent, which can include it.
    @Test func theSumsDoNotIncludeSubagents() throws {
        let usage = #""usage":{"used":100,"size":200,"cost":{"amount":0.25,"currency":"USD"}}"#
        let sessions = try [
            #"{"sessionId":"s","agent":"a",\#(usage)}"#, #"{"sessionId":"s.1","agent":"a","parentId":"s",\#(usage)}"#,
        ].compactMap { SessionUsage(try JSONValue(validating: Array($0.utf8))) }
        #expect(sessions.map(\.parentId) == [nil, "s"])
        let sum = try #require(Self.sums(sessions).first)
        #expect(sum.sessions == 1 && sum.used == 100 && sum.costText == "0.2500 USD")
        #expect(String(decoding: sessions[1].json(), as: UTF8.self).contains(#""parentId":"s""#))
    }

    @Test func hugeNumbersDoNotOverflow() throws {
        let huge = try session("a", #"{"used":9223372036854775807,"size":1,"cost":{"amount":1e300,"currency":"USD"}}"#)
        let sums = Self.sums([huge, huge].compactMap(\.self))
        #expect(sums.map(\.used) == [.max])
        #expect(sums.map(\.costText) == ["-"])
    }

    @Test(arguments: [(0.0125, "0.0125 USD"), (-1.5, "-1.5000 USD"), (12, "12.0000 USD"), (0.00006, "0.0001 USD")])
    func aCostHasFourDecimals(amount: Double, text: String) {
        #expect(UsageCost(amount: amount, currency: "USD").text == text)
    }

    @Test func theNewestRateLimitOfAnAgentIsShownUntilItsReset() throws {
        let sessions = try [(5, "ok", 0.1), (9, "near", 0.84), (7, "reached", 1)].compactMap { ts, state, used in
            let text = #"""
                {"sessionId":"s","agent":"a","lastTs":\#(ts),"usage":{"used":1,"size":2},
                "rateLimit":{"state":"\#(state)","window":"five_hour","used":\#(used),"resetsTs":7200000}}
                """#
            return SessionUsage(try JSONValue(validating: Array(text.utf8)))
        }
        let sum = try #require(Self.sums(sessions).first)
        #expect(sum.rateLimit?.text(now: 0) == "five_hour near, 84 % used, resets in 2h")
        #expect(sum.rateLimit?.text(now: 7_100_000) == "five_hour near, 84 % used, resets in 1m")
        #expect(sum.rateLimit?.text(now: 7_200_000) == nil)
        #expect(String(decoding: sum.json(), as: UTF8.self).contains(#""rateLimit":{"state":"near""#))
        #expect(String(decoding: sessions[2].json(), as: UTF8.self).contains(#""rateLimit":{"state":"reached""#))
    }

    @Test(arguments: [#"{}"#, #"{"state":1}"#, #"{"state":"other"}"#, "null", "[]"])
    func aRateLimitOfAnotherFormIsNone(text: String) throws {
        #expect(RateLimit(stored: try JSONValue(validating: Array(text.utf8))) == nil)
    }
}
