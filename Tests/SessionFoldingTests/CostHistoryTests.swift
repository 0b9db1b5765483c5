import ACPRouting
import JSONScan
import SessionFolding
import Testing

@Suite struct CostHistoryTests {
    private func usd(_ amount: Double) -> UsageCost { UsageCost(amount: amount, currency: "USD") }

    private func times(_ history: CostHistory) -> [Int64] { history.points.map(\.ts) }

    private static let quarter: Int64 = 900_000

    @Test func theLastReportOfEachQuarterOfAnHourIsKept() {
        var history = CostHistory()
        history.note(usd(1), at: 0)
        history.note(usd(2), at: Self.quarter - 1)
        history.note(usd(3), at: Self.quarter)
        #expect(times(history) == [Self.quarter - 1, Self.quarter])
        #expect(history.points.map(\.cost.amount) == [2, 3])
        let text = JSONWriter.object { writer in writer.memberArray("costs") { history.write(to: &$0) } }
        let first = #"{"ts":899999,"amount":2.0,"currency":"USD"}"#
        #expect(
            String(decoding: text, as: UTF8.self)
                == #"{"costs":[\#(first),{"ts":900000,"amount":3.0,"currency":"USD"}]}"#)
    }

    @Test func aReportOfTheSameCostIsNotKept() {
        var history = CostHistory()
        history.note(usd(1), at: 0)
        history.note(usd(1), at: 5 * Self.quarter)
        #expect(times(history) == [0])
    }

    @Test func anotherCurrencyBeginsAgain() {
        var history = CostHistory()
        history.note(usd(1), at: 0)
        history.note(UsageCost(amount: 2, currency: "EUR"), at: Self.quarter)
        #expect(times(history) == [Self.quarter])
    }

    @Test func theOldestPointsAreLeftOutBeyondTheLimit() {
        var history = CostHistory()
        let count = Int64(CostHistory.limit) + 2
        for number in 0..<count { history.note(usd(Double(number)), at: number * Self.quarter) }
        #expect(history.points.count == CostHistory.limit && history.points.first?.ts == 2 * Self.quarter)
    }
}
