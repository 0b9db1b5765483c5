import FieldLimits
import SQLite
import SessionRecords

extension Reader {
    /// - Parameter starts: the beginnings of the days, in milliseconds since 1970, in rising order.
    func usage(starts: [Int64], tenant: String?) throws(SQLiteError) -> UsageByDay {
        let days = "[" + starts.map(String.init).joined(separator: ",") + "]"
        var sums = try statements.usageSums.all(
            .text(days), .optional(tenant), .integer(Int64(UsageByDay.limit + 1)), read: Self.sum)
        var costs = try statements.usageCosts.all(.text(days), .optional(tenant), read: Self.cost)[...]
        let isPart = sums.count > UsageByDay.limit
        sums.removeLast(max(0, sums.count - UsageByDay.limit))
        for index in sums.indices {
            let isOfSum = { (cost: CostRow) in cost.startTs == sums[index].startTs && cost.agent == sums[index].agent }
            let own = costs.prefix(while: isOfSum)
            sums[index].costs = own.map(\.cost)
            costs = costs.dropFirst(own.count)
        }
        return UsageByDay(sums: sums, isPart: isPart)
    }

    private struct CostRow {
        let startTs: Int64
        let agent: String
        let cost: UsageByDay.Cost
    }

    private static func agent(_ row: Statement) -> String {
        row.text(1)?.prefix(scalars: FieldLimit.agentCharacters) ?? ""
    }

    private static func sum(_ row: Statement) -> UsageByDay.Sum {
        // A sum can be below 0 where an agent has corrected an earlier report.
        func number(_ column: Int32) -> Int64 { Int64(exactly: max(0, row.real(column)).rounded()) ?? .max }
        return UsageByDay.Sum(
            startTs: row.integer(0), agent: agent(row), sessions: row.integer(2),
            tokens: UsageByDay.Tokens(
                total: number(3), input: number(4), output: number(5), cachedRead: number(6), cachedWrite: number(7)))
    }

    private static func cost(_ row: Statement) -> CostRow {
        let amount = row.real(3)
        return CostRow(
            startTs: row.integer(0), agent: agent(row),
            cost: UsageByDay.Cost(amount: amount.isFinite ? amount : 0, currency: row.text(2) ?? ""))
    }
}
