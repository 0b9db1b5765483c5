import JSONScan

/// The usage of one session, as its agent reported it last.
struct SessionUsage: Sendable, Equatable {
    struct Cost: Sendable, Equatable {
        let amount: Double
        /// Such as `USD`.
        let currency: String
    }

    let sessionId: String
    let agent: String
    /// The session that this one is a subagent of; nil for any other session.
    let parentId: String?
    let title: String
    /// Milliseconds since 1970.
    let lastTs: Int64
    /// Tokens in the context.
    let used: Int64?
    /// The size of the context in tokens.
    let size: Int64?
    /// The cost of the whole session.
    let cost: Cost?
    /// Nil if the agent has reported none.
    let rateLimit: AgentRateLimit?

    /// Returns nil if the session has no usage.
    ///
    /// - Parameter value: the value of `sessions:get`.
    init?(_ value: JSONValue) {
        guard let usage = value["usage"], usage.kind == .object, let id = value["sessionId"]?.stringValue,
            let agent = value["agent"]?.stringValue
        else { return nil }
        sessionId = id
        self.agent = agent
        parentId = value["parentId"]?.stringValue
        title = value["title"]?.stringValue ?? ""
        lastTs = value["lastTs"]?.int64Value ?? 0
        rateLimit = value["rateLimit"].flatMap(AgentRateLimit.init)
        used = usage["used"]?.int64Value
        size = usage["size"]?.int64Value
        if let amount = usage["cost"]?["amount"]?.doubleValue, amount.isFinite,
            let currency = usage["cost"]?["currency"]?.stringValue
        {
            cost = Cost(amount: amount, currency: currency)
        } else {
            cost = nil
        }
    }

    func json() -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("sessionId", sessionId)
            writer.member("agent", agent)
            writer.member("parentId", ifPresent: parentId)
            writer.member("title", ifPresent: title.isEmpty ? nil : title)
            writer.member("lastTs", lastTs)
            writer.member("used", ifPresent: used)
            writer.member("size", ifPresent: size)
            if let cost {
                writer.memberObject("cost") { writer in
                    writer.member("amount", cost.amount)
                    writer.member("currency", cost.currency)
                }
            }
            if let rateLimit { writer.member("rateLimit", raw: rateLimit.json) }
        }
    }
}

/// The rate limit of an agent's account, as `sessions:get` has it. Pure.
struct AgentRateLimit: Sendable, Equatable {
    /// `ok`, `near` or `reached`.
    let state: String
    /// The agent's name of the limit, such as `five_hour`.
    let window: String?
    /// The used share, 0 to 1.
    let used: Double?
    /// Milliseconds since 1970.
    let resetsTs: Int64?
    let json: [UInt8]

    init?(_ value: JSONValue) {
        guard let state = value["state"]?.stringValue else { return nil }
        self.state = state
        window = value["window"]?.stringValue
        used = value["used"]?.doubleValue.flatMap { (0...1).contains($0) ? $0 : nil }
        resetsTs = value["resetsTs"]?.int64Value
        json = Array(value.rawText)
    }

    /// `five_hour near, 84 % used, resets in 2h`. Nil if the limit has been reset since the report.
    ///
    /// - Parameter now: Milliseconds since 1970.
    func text(now: Int64) -> String? {
        if let resetsTs, resetsTs <= now { return nil }
        let share = used.map { "\(Int(($0 * 100).rounded())) % used" }
        let reset = resetsTs.map { "resets in \(Self.duration(milliseconds: $0.subtractingReportingOverflow(now).0))" }
        let head = [window, state].compactMap(\.self).joined(separator: " ")
        return [head, share, reset].compactMap(\.self).joined(separator: ", ")
    }

    private static func duration(milliseconds: Int64) -> String {
        let minutes = max(1, milliseconds / 60_000)
        return minutes < 60 ? "\(minutes)m" : minutes < 48 * 60 ? "\(minutes / 60)h" : "\(minutes / 1440)d"
    }
}

/// The sums of one agent's sessions. Pure.
///
/// Subagents are left out: their tokens and costs can overlap with those of their parents.
struct AgentUsage: Sendable, Equatable {
    let agent: String
    private(set) var sessions = 0
    private(set) var used: Int64 = 0
    /// The amount in each currency.
    private(set) var costs: [String: Double] = [:]
    /// The rate limit of the last active session that has one.
    private(set) var rateLimit: AgentRateLimit?
    /// The time of that session's last activity, in milliseconds since 1970.
    private var rateLimitTs: Int64 = .min

    private init(_ agent: String) { self.agent = agent }

    /// Returns the sums of all agents, by name.
    static func sums(_ sessions: [SessionUsage]) -> [AgentUsage] {
        var sums: [String: AgentUsage] = [:]
        for session in sessions where session.parentId == nil {
            sums[session.agent, default: AgentUsage(session.agent)].add(session)
        }
        return sums.values.sorted { $0.agent < $1.agent }
    }

    private mutating func add(_ session: SessionUsage) {
        sessions += 1
        // An agent can report any number.
        let (sum, overflows) = used.addingReportingOverflow(session.used ?? 0)
        used = overflows ? .max : sum
        if let cost = session.cost { costs[cost.currency, default: 0] += cost.amount }
        if let limit = session.rateLimit, session.lastTs > rateLimitTs {
            (rateLimit, rateLimitTs) = (limit, session.lastTs)
        }
    }

    /// `1.2500 USD, 3.0000 EUR`; `-` without a cost.
    var costText: String {
        costs.isEmpty
            ? "-"
            : costs.sorted { $0.key < $1.key }
                .map { SessionUsage.Cost(amount: $0.value, currency: $0.key).text }
                .joined(separator: ", ")
    }

    func json() -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("agent", agent)
            writer.member("sessions", sessions)
            writer.member("used", used)
            writer.memberArray("costs") { writer in
                for (currency, amount) in costs.sorted(by: { $0.key < $1.key }) {
                    writer.object { writer in
                        writer.member("amount", amount)
                        writer.member("currency", currency)
                    }
                }
            }
            if let rateLimit { writer.member("rateLimit", raw: rateLimit.json) }
        }
    }
}

extension SessionUsage.Cost {
    /// The amount with four decimals, rounded: `0.0125 USD`. An amount outside of ±100 million is written as it is.
    var text: String {
        guard abs(amount) < 1e8 else { return "\(amount) \(currency)" }
        let units = Int64((abs(amount) * 10_000).rounded())
        let fraction = String(units % 10_000)
        let zeros = String(repeating: "0", count: 4 - fraction.count)
        return "\(amount < 0 ? "-" : "")\(units / 10_000).\(zeros)\(fraction) \(currency)"
    }
}
