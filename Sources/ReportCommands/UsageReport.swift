import ACPRouting
import Invocations
import JSONScan

/// The usage of one session, as its agent reported it last. Pure.
struct SessionUsage: Sendable {
    let sessionId: String
    let agent: String
    /// The session that this one is a subagent of; nil for any other session.
    let parentId: String?
    let title: String
    let folder: String?
    /// The bridge that has the session; nil for the bridge that answers.
    let bridge: String?
    /// Milliseconds since 1970.
    let lastTs: Int64
    /// Tokens in the context.
    let used: Int64?
    /// The size of the context in tokens.
    let size: Int64?
    /// The tokens that the whole session has consumed.
    let tokens: TokenCount?
    /// The cost of the whole session.
    let cost: UsageCost?
    /// Nil if the agent has reported none.
    let rateLimit: RateLimit?

    /// Returns nil if the session has no usage.
    ///
    /// - Parameter value: a row of a list of sessions, or the value of `sessions:get`.
    init?(_ value: JSONValue) {
        let usage = value["usage"].flatMap { $0.kind == .object ? $0 : nil }
        tokens = TokenCount(stored: value["tokens"])
        guard usage != nil || tokens != nil, let id = value["sessionId"]?.stringValue,
            let agent = value["agent"]?.stringValue
        else { return nil }
        sessionId = id
        self.agent = agent
        parentId = value["parentId"]?.stringValue
        title = value["title"]?.stringValue ?? ""
        folder = value["cwd"]?.stringValue
        bridge = value["bridge"]?.stringValue
        lastTs = value["lastTs"]?.int64Value ?? 0
        rateLimit = value["rateLimit"].flatMap(RateLimit.init(stored:))
        used = usage?["used"]?.int64Value
        size = usage?["size"]?.int64Value
        cost = usage?["cost"].flatMap(UsageCost.init)
    }

    func json() -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("sessionId", sessionId)
            writer.member("agent", agent)
            writer.member("parentId", ifPresent: parentId)
            writer.member("title", ifPresent: title.isEmpty ? nil : title)
            writer.member("cwd", ifPresent: folder)
            writer.member("bridge", ifPresent: bridge)
            writer.member("lastTs", lastTs)
            writer.member("used", ifPresent: used)
            writer.member("size", ifPresent: size)
            if let tokens { writer.memberObject("tokens") { tokens.write(to: &$0) } }
            if let cost { writer.memberObject("cost") { cost.write(to: &$0) } }
            rateLimit?.writeMember(to: &writer)
        }
    }
}

extension RateLimit {
    fileprivate func writeMember(to writer: inout JSONWriter) {
        writer.memberObject("rateLimit") { write(to: &$0) }
    }

    /// `five_hour near, 84 % used, resets in 2h`. Nil if the limit has been reset since the report.
    ///
    /// - Parameter now: Milliseconds since 1970.
    func text(now: Int64) -> String? {
        if let resetsTs, resetsTs <= now { return nil }
        let share = used.map { "\(Int(($0 * 100).rounded())) % used" }
        let reset = resetsTs.map { "resets in \(Self.duration(milliseconds: $0.subtractingReportingOverflow(now).0))" }
        let head = [window, state.rawValue].compactMap(\.self).joined(separator: " ")
        return [head, share, reset].compactMap(\.self).joined(separator: ", ")
    }

    private static func duration(milliseconds: Int64) -> String {
        let minutes = max(1, milliseconds / 60_000)
        return minutes < 60 ? "\(minutes)m" : minutes < 48 * 60 ? "\(minutes / 60)h" : "\(minutes / 1440)d"
    }
}

/// The sums of the sessions of one agent, day or folder. Pure.
///
/// Subagents are left out: their tokens and costs can overlap with those of their parents.
struct UsageSum: Sendable, Equatable {
    /// The agent, the day as `2026-11-23`, or the folder. Nil for sessions whose folder is unknown.
    let name: String?
    private let grouping: UsageOptions.Grouping
    private(set) var sessions = 0
    private(set) var used: Int64 = 0
    /// The tokens that the sessions have consumed.
    private(set) var tokens = TokenCount()
    /// The amount in each currency.
    private(set) var costs: [String: Double] = [:]
    /// The rate limit of the last active session that has one. Only an agent has one.
    private(set) var rateLimit: RateLimit?
    /// The time of that session's last activity, in milliseconds since 1970.
    private var rateLimitTs: Int64 = .min

    private init(_ name: String?, _ grouping: UsageOptions.Grouping) { (self.name, self.grouping) = (name, grouping) }

    /// Returns the sums of agents or folders, in the order of their names.
    static func sums(_ sessions: [SessionUsage], by grouping: UsageOptions.Grouping) -> [UsageSum] {
        var sums: [String?: UsageSum] = [:]
        for session in sessions where session.parentId == nil {
            let name = grouping == .folder ? session.folder : session.agent
            sums[name, default: UsageSum(name, grouping)].add(session)
        }
        return sums.values.sorted { ($0.name ?? "") < ($1.name ?? "") }
    }

    /// Returns the sums of all agents and bridges for each day, the newest first.
    ///
    /// - Parameters:
    ///   - value: the value of `usage:byDay`.
    ///   - day: the local day of a time in milliseconds since 1970, as `2026-11-23`.
    static func days(_ value: JSONValue, day: (Int64) -> String) -> [UsageSum] {
        (value["days"]?.elements ?? []).compactMap { element in
            guard let start = element["startTs"]?.int64Value else { return nil }
            var sum = UsageSum(day(start), .day)
            for part in element["sums"]?.elements ?? [] { sum.add(part) }
            return sum
        }
    }

    /// Adds a row of `usage:byDay`.
    private mutating func add(_ part: JSONValue) {
        sessions += Int(part["sessions"]?.int64Value ?? 0)
        if let tokens = TokenCount(stored: part["tokens"]) { self.tokens = self.tokens + tokens }
        for cost in part["costs"]?.elements ?? [] {
            // A sum, and below 0 if an agent has corrected an earlier report.
            guard let amount = cost["amount"]?.doubleValue, amount.isFinite,
                let currency = cost["currency"]?.stringValue
            else { continue }
            costs[currency, default: 0] += amount
        }
    }

    private mutating func add(_ session: SessionUsage) {
        sessions += 1
        // An agent can report any number.
        let (sum, overflows) = used.addingReportingOverflow(session.used ?? 0)
        used = overflows ? .max : sum
        if let tokens = session.tokens { self.tokens = self.tokens + tokens }
        if let cost = session.cost { costs[cost.currency, default: 0] += cost.amount }
        if grouping == .agent, let limit = session.rateLimit, session.lastTs > rateLimitTs {
            (rateLimit, rateLimitTs) = (limit, session.lastTs)
        }
    }

    private var sortedCosts: [UsageCost] {
        costs.sorted { $0.key < $1.key }.map { UsageCost(amount: $0.value, currency: $0.key) }
    }

    /// `1.2500 USD, 3.0000 EUR`; `-` without a cost.
    var costText: String { costs.isEmpty ? "-" : sortedCosts.map(\.text).joined(separator: ", ") }

    func json() -> [UInt8] {
        JSONWriter.object { writer in
            if let name { writer.member(grouping.rawValue, name) } else { writer.memberNull(grouping.rawValue) }
            writer.member("sessions", sessions)
            if grouping != .day { writer.member("used", used) }
            if tokens.total > 0 { writer.memberObject("tokens") { tokens.write(to: &$0) } }
            writer.memberArray("costs") { writer in
                for cost in sortedCosts { writer.object { cost.write(to: &$0) } }
            }
            rateLimit?.writeMember(to: &writer)
        }
    }
}

extension UsageCost {
    /// The amount with four decimals, rounded: `0.0125 USD`. An amount outside of ±100 million is written as it is.
    var text: String {
        guard abs(amount) < 1e8 else { return "\(amount) \(currency)" }
        let units = Int64((abs(amount) * 10_000).rounded())
        let fraction = String(units % 10_000)
        let zeros = String(repeating: "0", count: 4 - fraction.count)
        return "\(amount < 0 ? "-" : "")\(units / 10_000).\(zeros)\(fraction) \(currency)"
    }
}
