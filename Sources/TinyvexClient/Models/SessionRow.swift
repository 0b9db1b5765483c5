import ACP
import JSONCoding

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The value of `sessions:list`: one page of rows, the most recently active session first.
///
/// `[SessionRow].self` reads the rows alone.
public struct SessionPage: Codable, Hashable, Sendable {
    public var data: [SessionRow]
    /// The number of sessions on all pages.
    public var total: Int
    /// From 1.
    public var page: Int
    /// The largest number of rows of a page.
    public var limit: Int
    /// The `cursor` of the next page; nil on the last one.
    public var nextCursor: String?
}

/// A session in `sessions:list`.
public struct SessionRow: Codable, Hashable, Sendable, Identifiable {
    /// Identifies one incarnation of a session, also after its agent was started again.
    public struct ID: Hashable, Sendable {
        public let bridge: String?
        public let agent: String
        public let sessionId: ACPSessionId
        public let createdTs: Date
    }

    public var sessionId: ACPSessionId
    public var agent: String
    public var title: String?
    /// The working folder; nil if it is not known.
    public var cwd: String?
    public var tags: [String]
    public var archived: Bool
    public var createdTs: Date
    /// The time of the last update.
    public var lastTs: Date
    /// The time at which the session was last begun, loaded or prompted; nil if it is not known.
    public var usedTs: Date?
    public var updateCount: Int64
    /// The session's agent runs, or not all of its updates are stored.
    public var live: Bool
    public var state: SessionActivity
    /// The state that the agent reported last, in ACP version 2; nil if it is idle.
    public var agentState: String?
    /// The number of background items, in ACP version 2; nil for none.
    public var background: Int?
    /// True if the session is idle and other work keeps the agent running; otherwise nil.
    public var busy: Bool?
    /// How the last turn ended, `error` if the agent answered the prompt with an error. Nil after `end_turn`, while a turn
    /// runs, and if it is not known.
    public var stopReason: String?
    /// The time of the oldest request of the session that waits for a person. Nil if none waits, and for sessions of other bridges.
    public var waitingTs: Date?
    /// The parent session; nil for a session that is not a subagent.
    public var parentId: ACPSessionId?
    /// The bridge that has the session; nil for the bridge that answers.
    public var bridge: String?
    /// The time at which that bridge was last known to run; nil while it runs.
    public var unreachableTs: Date?
    /// Nil if the agent has reported none.
    public var usage: ReportedUsage?
    /// Nil if the agent has reported none.
    public var rateLimit: AccountRateLimit?
    /// Nil if the agent has reported none.
    public var tokens: ConsumedTokens?
    public var journal: String
    /// How the session ended; nil while its agent runs.
    public var end: SessionEnding?
    /// Only in the last row of `tinyvex/history.recentSessions`, if others follow.
    public var nextCursor: String?

    public var id: ID { ID(bridge: bridge, agent: agent, sessionId: sessionId, createdTs: createdTs) }
}

/// The activity of a session. Unknown values can arrive and keep their text.
public struct SessionActivity: OpenEnum {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A turn runs.
    public static let running = Self(rawValue: "running")
    public static let idle = Self(rawValue: "idle")
    public static let ended = Self(rawValue: "ended")

    public static let allCases = [running, idle, ended]
}

/// The context and the cost of a session, as its agent has reported them last.
public struct ReportedUsage: Codable, Hashable, Sendable {
    public struct Cost: Codable, Hashable, Sendable {
        public var amount: Double
        /// Such as `USD`.
        public var currency: String
    }

    /// Tokens in the context.
    public var used: Int64?
    /// The size of the context in tokens.
    public var size: Int64?
    /// The cost of the whole session.
    public var cost: Cost?
}

/// The tokens that a session has consumed, as far as its agent has reported them.
public struct ConsumedTokens: Codable, Hashable, Sendable {
    /// All tokens.
    public var total: Int64
    /// Depending on the agent, with or without those read from a cache.
    public var input: Int64
    public var output: Int64
    /// Read from a cache.
    public var cachedRead: Int64
    /// Written to a cache.
    public var cachedWrite: Int64
}

/// The rate limit of an agent's account, as the agent has reported it last.
public struct AccountRateLimit: Codable, Hashable, Sendable {
    /// Unknown values can arrive and keep their text.
    public struct State: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let ok = Self(rawValue: "ok")
        /// The agent warns, or 80 % are used.
        public static let near = Self(rawValue: "near")
        /// The agent gets no answers before the reset.
        public static let reached = Self(rawValue: "reached")

        public static let allCases = [ok, near, reached]
    }

    public var state: State
    /// The agent's name of the limit, such as `five_hour`; nil if it has none.
    public var window: String?
    /// The used share, 0 to 1; nil if unknown.
    public var used: Double?
    /// The state does not count after this time. Nil if unknown.
    public var resetsTs: Date?
}

/// How a session ended.
public struct SessionEnding: Codable, Hashable, Sendable {
    /// The reason. Unknown values can arrive and keep their text.
    public struct Reason: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The agent has exited, with `exitCode`.
        public static let exited = Self(rawValue: "exited")
        /// The agent was ended by `signal`.
        public static let signaled = Self(rawValue: "signaled")
        /// The session was closed; its agent may still run.
        public static let closed = Self(rawValue: "closed")
        /// The bridge ended without storing an end.
        public static let interrupted = Self(rawValue: "interrupted")

        public static let allCases = [exited, signaled, closed, interrupted]
    }

    public var reason: Reason
    public var exitCode: Int?
    public var signal: Int?
}
