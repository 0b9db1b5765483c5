import ACPRouting
import Invocations
import JSONScan
import Testing

@testable import ClientCommands

@Suite struct UsageReportTests {
    private func session(_ agent: String, _ usage: String) throws -> SessionUsage? {
        let text = #"{"sessionId":"s","agent":"\#(agent)","title":null,"lastTs":5,"usage":\#(usage)}"#
        return SessionUsage(try JSONValue(validating: Array(text.utf8)))
    }

    private static func sums(_ sessions: [SessionUsage], by grouping: UsageOptions.Grouping = .agent) -> [UsageSum] {
        UsageSum.sums(sessions, by: grouping) { $0 < 10 ? "2026-11-22" : "2026-11-23" }
    }

    @Test func theSumsCanBeByDayOrFolder() throws {
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
        #expect(
            lines(.day) == [
                #"{"day":"2026-11-23","sessions":2,"used":2,"costs":\#(two)}"#,
                #"{"day":"2026-11-22","sessions":2,"used":8,"costs":\#(one)}"#,
            ])
    }

    /// An earlier fault: the whole cost counted for the last day. Times below 10 are on the 22nd.
    @Test func theCostOfASessionIsDividedAmongItsDays() throws {
        func sums(_ points: String, amount: Double = 1, since start: Int64 = .min) throws -> [String] {
            let usage = #""usage":{"used":7,"size":9,"cost":{"amount":\#(amount),"currency":"USD"}}"#
            let text = #"{"sessionId":"s","agent":"a","lastTs":15,\#(usage),"costs":[\#(points)]}"#
            let session = SessionUsage(try JSONValue(validating: Array(text.utf8)))
            let sums = UsageSum.sums([session].compactMap(\.self), by: .day, since: start) {
                $0 < 10 ? "2026-11-22" : "2026-11-23"
            }
            return sums.map { "\($0.name ?? "") \($0.sessions) \($0.used) \($0.costText)" }
        }
        func point(_ ts: Int64, _ amount: Double, _ currency: String = "USD") -> String {
            #"{"ts":\#(ts),"amount":\#(amount),"currency":"\#(currency)"}"#
        }
        let points = [point(3, 0.25), point(9, 0.5), point(14, 1)].joined(separator: ",")
        #expect(try sums(points) == ["2026-11-23 1 7 0.5000 USD", "2026-11-22 1 0 0.5000 USD"])
        #expect(try sums(points, since: 9) == ["2026-11-23 1 7 0.5000 USD", "2026-11-22 1 0 0.2500 USD"])
        #expect(try sums(points, since: 10) == ["2026-11-23 1 7 0.5000 USD"])
        #expect(
            try sums(points, amount: 3) == ["2026-11-23 1 7 0.5000 USD", "2026-11-22 1 0 2.5000 USD"],
            "reports that are no longer stored count with the first ones")
        #expect(try sums("") == ["2026-11-23 1 7 1.0000 USD"], "the times are not known")
        #expect(try sums(point(3, 5, "EUR")) == ["2026-11-23 1 7 1.0000 USD"], "the newest currency counts")
        #expect(try sums(point(3, 1)) == ["2026-11-23 1 7 -", "2026-11-22 1 0 1.0000 USD"])
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
        #expect(sums.map(\.costText) == ["2e+300 USD"])
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
