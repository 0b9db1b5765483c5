import JSONCoding
import JSONScan
import Testing

@testable import ACPRouting

@Suite struct TokenUsageTests {
    private func report(
        _ total: Int, _ input: Int = 0, _ output: Int = 0, read: Int = 0, write: Int = 0
    ) throws -> JSONValue {
        let text =
            #"{"stopReason":"end_turn","usage":{"totalTokens":\#(total),"inputTokens":\#(input),"#
            + #""outputTokens":\#(output),"cachedReadTokens":\#(read),"cachedWriteTokens":\#(write)}}"#
        return try JSONValue(validating: Array(text.utf8))
    }

    private func text(_ tokens: TokenCount?) -> String? { tokens.map { String(decoding: $0.json, as: UTF8.self) } }

    /// The numbers are those of Claude's adapter.
    @Test func reportsOfTurnsAreAdded() throws {
        var usage = UsageReport()
        #expect(usage.tokens == nil)
        usage.turnEnded(try report(42_678, 3, 22, write: 42_653))
        usage.turnEnded(try report(42_735, 3, 49, read: 42_653, write: 30))
        usage.turnEnded(try report(42_800, 3, 60, read: 42_683, write: 54))
        #expect(
            text(usage.tokens)
                == #"{"total":128213,"input":9,"output":131,"cachedRead":85336,"cachedWrite":42737}"#)
    }

    @Test func reportsThatOnlyGrowAreSums() throws {
        var usage = UsageReport()
        usage.turnEnded(try report(10, 8, 2))
        usage.turnEnded(try report(25, 20, 5))
        #expect(usage.tokens?.total == 35, "two reports can grow by chance")
        usage.turnEnded(try report(40, 31, 9))
        #expect(usage.tokens?.total == 40 && usage.tokens?.output == 9)
        usage.turnEnded(try report(12, 10, 2))
        #expect(usage.tokens?.total == 87)
    }

    @Test func afterManySumsAFallBeginsANewSum() throws {
        var usage = UsageReport()
        for count in 1...50 { usage.turnEnded(try report(20_000 * count)) }
        #expect(usage.tokens?.total == 1_000_000)
        usage.turnEnded(try report(20_000))
        #expect(usage.tokens?.total == 1_020_000)
        usage.turnEnded(try report(50_000))
        #expect(usage.tokens?.total == 1_050_000)
    }

    @Test func theRunsOfAnAgentAreAdded() throws {
        var usage = UsageReport()
        usage.runBegan()
        usage.turnEnded(try report(10, 8, 2))
        usage.runBegan()
        usage.turnEnded(try report(5, 4, 1))
        #expect(usage.tokens?.total == 15 && usage.tokensOfRun.total == 5)
        let stored = UsageReport(storedText: try #require(usage.storedText))
        #expect(stored.tokens == usage.tokens)
        var next = UsageReport()
        next.runBegan()
        next.resume(stored)
        next.turnEnded(try report(1, 1, 0))
        #expect(next.tokens?.total == 16 && next.tokensOfRun.total == 1)
    }

    @Test func theReportsContinueAfterAHandOver() throws {
        var usage = UsageReport()
        usage.turnEnded(try report(10, 8, 2))
        usage.runBegan()
        usage.turnEnded(try report(10, 8, 2))
        usage.turnEnded(try report(20, 16, 4))
        var next = try JSONTextDecoder().decode(UsageReport.self, from: JSONTextEncoder().encode(usage))
        #expect(next == usage)
        next.turnEnded(try report(30, 24, 6))
        #expect(next.tokens?.total == 40)
    }

    @Test(arguments: [
        #"{}"#, #"{"usage":null}"#, #"{"usage":5}"#, #"{"usage":{"totalTokens":-1,"inputTokens":"x"}}"#,
        #"{"usage":{"totalTokens":0}}"#,
    ])
    func otherReportsCountNothing(outcome: String) throws {
        var usage = UsageReport()
        usage.turnEnded(try JSONValue(validating: Array(outcome.utf8)))
        #expect(usage.tokens == nil && usage.storedText == nil)
    }

    @Test func hugeNumbersDoNotOverflow() throws {
        var usage = UsageReport()
        for _ in 0..<2 { usage.turnEnded(try report(.max, .max, .max)) }
        #expect(usage.tokens?.total == .max)
        #expect(usage.storedText?.utf8.count ?? 0 < 512)
    }
}
