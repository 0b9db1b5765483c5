#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The value of `usage:byDay`: the costs and the consumed tokens of some days.
public struct UsageByDay: Codable, Hashable, Sendable {
    /// The newest day first. Days without usage are left out.
    public var days: [UsageDay]
    /// True if the oldest sums are missing.
    public var isPart: Bool?
    /// The other bridges whose sums could not be read; nil if there are none.
    public var unread: [UnreadBridge]?

    /// A bridge whose sums could not be read.
    public struct UnreadBridge: Codable, Hashable, Sendable {
        public var bridge: String
        public var reason: String
    }
}

/// The usage of one day.
public struct UsageDay: Codable, Hashable, Sendable {
    /// The beginning of the day, as the query has it.
    public var startTs: Date
    public var sums: [UsageSum]
}

/// The usage of one agent's sessions on one day.
public struct UsageSum: Codable, Hashable, Sendable {
    public var agent: String
    /// The sessions whose agents have reported usage on this day.
    public var sessions: Int
    /// Nil if no agent has reported its tokens.
    public var tokens: ConsumedTokens?
    /// One for each currency.
    public var costs: [Cost]
    /// The name of the sessions' bridge; nil for the bridge itself.
    public var bridge: String?

    public struct Cost: Codable, Hashable, Sendable {
        public var amount: Double
        public var currency: String
    }
}
