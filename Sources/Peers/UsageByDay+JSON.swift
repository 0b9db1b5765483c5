import FieldLimits
import JSONScan
import SessionRecords

extension UsageByDay {
    /// Nil for another form. The peer is another program, so texts are cut, and days that were not requested are left out.
    init?(_ value: JSONValue, starts: [Int64]) {
        guard let elements = value["sums"]?.elements(atMost: Self.limit) else { return nil }
        let days = Set(starts)
        let sums = elements.compactMap { Sum($0) }.filter { days.contains($0.startTs) }
        self.init(sums: sums, isPart: value["isPart"]?.boolValue ?? false)
    }

    func write(to writer: inout JSONWriter) {
        writer.memberArray("sums") { writer in
            for sum in sums {
                writer.object { writer in
                    writer.member("startTs", sum.startTs)
                    sum.write(to: &writer)
                }
            }
        }
        if isPart { writer.member("isPart", true) }
    }
}

extension UsageByDay.Sum {
    /// Writes all members but the day.
    package func write(to writer: inout JSONWriter) {
        writer.member("agent", agent)
        writer.member("sessions", sessions)
        if tokens.total > 0 {
            writer.memberObject("tokens") { writer in
                writer.member("total", tokens.total)
                writer.member("input", tokens.input)
                writer.member("output", tokens.output)
                writer.member("cachedRead", tokens.cachedRead)
                writer.member("cachedWrite", tokens.cachedWrite)
            }
        }
        writer.memberArray("costs") { writer in
            for cost in costs {
                writer.object { writer in
                    writer.member("amount", cost.amount)
                    writer.member("currency", cost.currency)
                }
            }
        }
    }

    /// Currencies of one sum. More are left out.
    private static let costLimit = 20

    fileprivate init?(_ value: JSONValue) {
        guard let startTs = value["startTs"]?.int64Value, let agent = value["agent"]?.stringValue,
            let sessions = value["sessions"]?.int64Value
        else { return nil }
        let costs = (value["costs"]?.elements ?? []).prefix(Self.costLimit).compactMap { cost -> UsageByDay.Cost? in
            guard let amount = cost["amount"]?.doubleValue, amount.isFinite,
                let currency = cost["currency"]?.stringValue?.currency
            else { return nil }
            return UsageByDay.Cost(amount: amount, currency: currency)
        }
        func tokens(_ name: String) -> Int64 { max(0, value["tokens"]?[name]?.int64Value ?? 0) }
        self.init(
            startTs: startTs, agent: agent.prefix(scalars: FieldLimit.agentCharacters), sessions: max(0, sessions),
            tokens: UsageByDay.Tokens(
                total: tokens("total"), input: tokens("input"), output: tokens("output"),
                cachedRead: tokens("cachedRead"), cachedWrite: tokens("cachedWrite")), costs: costs)
    }
}
