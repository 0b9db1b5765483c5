import FieldLimits
import JSONScan

/// The money that an agent's work has cost. Pure.
package struct UsageCost: Sendable, Equatable {
    package let amount: Double
    /// Such as `USD`.
    package let currency: String

    /// 10^12 of the currency. Sums of all sessions stay finite.
    private static let limit = 1e12

    package init(amount: Double, currency: String) { (self.amount, self.currency) = (amount, currency) }

    /// Reads `{"amount":0.42,"currency":"USD"}`. Returns nil for another form, for an amount below 0 or above ``limit``, and for a
    /// currency with characters that are not shown.
    package init?(_ value: JSONValue) {
        guard let amount = value["amount"]?.doubleValue, (0...Self.limit).contains(amount),
            let currency = value["currency"]?.stringValue?.currency
        else { return nil }
        self.init(amount: amount, currency: currency)
    }

    /// Writes `"amount":0.42,"currency":"USD"`.
    package func write(to writer: inout JSONWriter) {
        writer.member("amount", amount)
        writer.member("currency", currency)
    }

    /// Returns nil for different currencies.
    fileprivate func adding(_ other: UsageCost) -> UsageCost? {
        let sum = amount + other.amount
        return currency == other.currency && sum <= Self.limit ? UsageCost(amount: sum, currency: currency) : nil
    }
}

/// The content of one `usage_update`. A value of a wrong type or outside of the limits counts as missing. Pure.
package struct UsageUpdate: Sendable, Equatable {
    /// Tokens in the context. Nil if the update does not have both numbers.
    fileprivate let used: Int64?
    /// The size of the context in tokens.
    fileprivate let size: Int64?
    /// The update has a member `cost`, which can be null.
    fileprivate let hasCost: Bool
    fileprivate let cost: UsageCost?
    fileprivate let rateLimit: RateLimit?

    package init(_ update: JSONValue) {
        let (used, size) = (update["used"]?.int64Value, update["size"]?.int64Value)
        (self.used, self.size) = used == nil || size == nil ? (nil, nil) : (used, size)
        let cost = update["cost"]
        hasCost = cost != nil
        self.cost = cost.flatMap(UsageCost.init)
        rateLimit = RateLimit(update)
    }
}

/// The usage of one session as its agent has reported it, joined from its updates of the kind `usage_update`. Pure.
///
/// One update has the cost, and another one the rate limit. So each value counts until the next one. An agent reports
/// the cost since its start, so the reports of one run are not added up, and the last ones of different runs are. An
/// agent that reports a cost before the first prompt of a run has counted the earlier runs itself.
package struct UsageReport: Sendable, Equatable {
    /// Tokens in the context.
    package private(set) var used: Int64?
    /// The size of the context in tokens.
    package private(set) var size: Int64?
    package private(set) var rateLimit: RateLimit?
    /// The cost that the present run of the agent has reported last.
    private var ownCost: UsageCost?
    /// The cost of all earlier runs.
    private var earlierCost: UsageCost?
    /// The tokens of the present run.
    private var ownTokens = TokenReports()
    /// The tokens of all earlier runs.
    private var earlierTokens: TokenCount?
    private var phase = RunPhase.beforePrompt

    private enum RunPhase: String {
        case beforePrompt
        /// A prompt was sent in this run.
        case prompted
        /// The agent's cost includes that of the earlier runs.
        case countsAllRuns
    }

    package init() {}

    /// The cost of the whole session. If the runs report different currencies, that of the newest one.
    package var cost: UsageCost? {
        guard let earlierCost, phase != .countsAllRuns else { return ownCost }
        return ownCost.map { earlierCost.adding($0) ?? $0 } ?? earlierCost
    }

    /// The tokens that the whole session has consumed. Nil if the agent has reported none.
    package var tokens: TokenCount? {
        ownTokens.isEmpty ? earlierTokens : (earlierTokens ?? TokenCount()) + ownTokens.tokens
    }

    /// The tokens of the present run of the agent.
    package var tokensOfRun: TokenCount { ownTokens.tokens }

    /// The cost of the present run of the agent. Nil if it has reported none.
    package var costOfRun: UsageCost? {
        guard let ownCost else { return nil }
        guard phase == .countsAllRuns, let earlierCost, earlierCost.currency == ownCost.currency else { return ownCost }
        return UsageCost(amount: max(0, ownCost.amount - earlierCost.amount), currency: ownCost.currency)
    }

    /// Applies the end of a turn: the answer to a prompt, or the `idle` of version 2, with ACP's `usage`.
    package mutating func turnEnded(_ outcome: JSONValue) {
        if let report = TokenCount(report: outcome["usage"]) { ownTokens.add(report) }
    }

    /// Applies a `usage_update`.
    package mutating func apply(_ update: UsageUpdate) {
        if let used = update.used { (self.used, size) = (used, update.size) }
        if update.hasCost { ownCost = update.cost }
        if phase == .beforePrompt, let cost = update.cost, cost.amount > 0 { phase = .countsAllRuns }
        rateLimit = update.rateLimit ?? rateLimit
    }

    // MARK: Runs of the agent

    /// Call when an agent begins or resumes the session.
    package mutating func runBegan() {
        (earlierCost, earlierTokens) = (cost, tokens)
        (ownCost, ownTokens) = (nil, TokenReports())
        phase = .beforePrompt
    }

    package mutating func prompted() {
        if phase == .beforePrompt { phase = .prompted }
    }

    /// Adds the report that the log has of the runs before this one.
    package mutating func resume(_ stored: UsageReport) {
        if used == nil { (used, size) = (stored.used, stored.size) }
        rateLimit = rateLimit ?? stored.rateLimit
        (earlierCost, earlierTokens) = (stored.cost, stored.tokens)
    }

    // MARK: JSON

    /// `{"used":12000,"size":200000,"cost":{"amount":0.42,"currency":"USD"}}`. Nil if nothing of it was reported.
    package var json: [UInt8]? {
        guard used != nil || cost != nil else { return nil }
        return JSONWriter.object { write(cost, to: &$0) }
    }

    private func write(_ cost: UsageCost?, to writer: inout JSONWriter) {
        writer.member("used", ifPresent: used)
        writer.member("size", ifPresent: size)
        if let cost { writer.memberObject("cost") { cost.write(to: &$0) } }
    }

    private func writeLimit(to writer: inout JSONWriter) {
        if let rateLimit { writer.memberObject("rateLimit") { rateLimit.write(to: &$0) } }
    }

    /// The form in which the log stores the report: ``json`` with the members `rateLimit` and `tokens`. Nil if nothing was
    /// reported.
    package var storedText: String? {
        guard used != nil || cost != nil || rateLimit != nil || tokens != nil else { return nil }
        let text = JSONWriter.object { writer in
            write(cost, to: &writer)
            writeLimit(to: &writer)
            if let tokens { writer.memberObject("tokens") { tokens.write(to: &$0) } }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads ``storedText``. All of it counts as that of earlier runs.
    package init(storedText: String) {
        guard let value = try? JSONValue(validating: Array(storedText.utf8)) else { return }
        let update = UsageUpdate(value)
        (used, size) = (update.used, update.size)
        earlierCost = update.cost
        rateLimit = value["rateLimit"].flatMap(RateLimit.init(stored:))
        earlierTokens = TokenCount(stored: value["tokens"])
    }
}

/// The form in a hand-over: one text. An earlier version wrote ``UsageReport/storedText``.
extension UsageReport: Codable {
    package func encode(to encoder: any Encoder) throws {
        let text = JSONWriter.object { writer in
            write(ownCost, to: &writer)
            writeLimit(to: &writer)
            if let earlierCost { writer.memberObject("earlierCost") { earlierCost.write(to: &$0) } }
            if !ownTokens.isEmpty { writer.memberObject("ownTokens") { ownTokens.write(to: &$0) } }
            if let earlierTokens { writer.memberObject("earlierTokens") { earlierTokens.write(to: &$0) } }
            writer.member("phase", phase.rawValue)
        }
        var container = encoder.singleValueContainer()
        try container.encode(String(decoding: text, as: UTF8.self))
    }

    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        self.init(storedText: text)
        let value = try? JSONValue(validating: Array(text.utf8))
        (ownCost, earlierCost) = (earlierCost, value?["earlierCost"].flatMap(UsageCost.init))
        ownTokens = value?["ownTokens"].flatMap(TokenReports.init) ?? TokenReports()
        if let earlier = TokenCount(stored: value?["earlierTokens"]) { earlierTokens = earlier }
        phase = value?["phase"]?.stringValue.flatMap(RunPhase.init) ?? .prompted
    }
}
