import ACP
import JSONCoding

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The value of `sessions:get`: a session's row, and the state that its updates add up to.
///
/// Members that the agent wrote are ``RawJSON``, because an agent can write more, or another version of ACP, than this
/// library knows. `try details.toolCalls[0].decode(as: ACP.ToolCall.self)` reads one.
public struct SessionDetails: Codable, Hashable, Sendable, Identifiable {
    /// The current or last turn.
    public struct Turn: Codable, Hashable, Sendable {
        public var state: SessionActivity
        /// The state that the agent reported last, in ACP version 2.
        public var agentState: String?
        /// The agent's background items, in ACP version 2.
        public var background: RawJSON?
        public var startedTs: Date?
        public var endedTs: Date?
        /// ACP's stop reason of the last turn.
        public var stopReason: String?
        /// The agent's error that ended the last turn.
        public var error: RawJSON?
    }

    /// The agent's plan in ACP version 1.
    public struct Plan: Codable, Hashable, Sendable {
        /// ACP's `PlanEntry`, each.
        public var entries: RawJSON?
    }

    /// The cost of the whole session at a time.
    public struct CostReport: Codable, Hashable, Sendable {
        public var ts: Date
        public var amount: Double
        /// Such as `USD`.
        public var currency: String
    }

    /// A request of the agent that waits for a person.
    public struct OpenRequest: Codable, Hashable, Sendable {
        /// The agent's id of the request: a number or a string.
        public var requestId: RawJSON
        public var askedTs: Date
        /// The params of `session/request_permission` or `elicitation/create`.
        public var params: RawJSON
    }

    /// A prompt that waits for the end of the turn. ``SessionUnqueue`` removes it.
    public struct QueuedPrompt: Codable, Hashable, Sendable {
        /// The client that sent it.
        public var by: String
        /// The time identifies the prompt among those of its agent.
        public var queuedTs: Date
        /// The text, or its beginning.
        public var text: String?
    }

    /// Someone who has the session on a screen.
    public struct Viewer: Codable, Hashable, Sendable {
        public var who: String
        /// The name of the viewer's token.
        public var name: String?
        public var sinceTs: Date
    }

    /// The numbers of older items that the value leaves out.
    public struct Omitted: Codable, Hashable, Sendable {
        public var toolCalls: Int
        public var contents: Int
    }

    // The members of ``SessionRow``.
    public var sessionId: ACPSessionId
    public var agent: String
    public var title: String?
    public var cwd: String?
    public var tags: [String]
    public var archived: Bool
    public var createdTs: Date
    public var lastTs: Date
    /// The time at which the session was last begun, loaded or prompted; nil if it is not known.
    public var usedTs: Date?
    public var updateCount: Int64
    public var live: Bool
    public var state: SessionActivity
    public var agentState: String?
    public var background: Int?
    public var busy: Bool?
    public var stopReason: String?
    public var parentId: ACPSessionId?
    public var bridge: String?
    public var unreachableTs: Date?
    public var journal: String
    public var end: SessionEnding?

    /// The number of the last update that this value contains. Subscribe after it to follow the session without a gap.
    public var lastSeq: Int64
    public var turn: Turn
    public var currentModeId: String?
    /// ACP's `SessionModeState`.
    public var modes: RawJSON?
    /// ACP's `SessionConfigOption`, each.
    public var configOptions: [RawJSON]?
    /// ACP's `AvailableCommand`, each.
    public var commands: [RawJSON]?
    public var plan: Plan?
    /// ACP's `UsageUpdate`.
    public var usage: RawJSON?
    /// Nil if the agent has reported none.
    public var rateLimit: AccountRateLimit?
    /// Nil if the agent has reported none.
    public var tokens: ConsumedTokens?
    /// The costs at the end of each quarter of an hour in which the cost changed. Nil if the query did not ask for them with
    /// its param `costs`.
    public var costs: [CostReport]?
    /// ACP's `ToolCall`, each merged from its updates.
    public var toolCalls: [RawJSON]
    /// ACP's `TerminalUpdate`, each merged, with the end of the output.
    public var terminals: [RawJSON]?
    /// ACP's `Plan` of version 2, each.
    public var plans: [RawJSON]?
    /// ACP's `SubagentUpdate`, each merged.
    public var subagents: [RawJSON]?
    /// ACP's `CompactionUpdate`, merged.
    public var compactions: [RawJSON]?
    public var pendingPermissions: [OpenRequest]
    public var pendingElicitations: [OpenRequest]
    public var queue: [QueuedPrompt]
    /// In the order of arrival; nil for none.
    public var viewers: [Viewer]?
    /// Whether notifications of the session are muted. Nil if the bridge sends none of it.
    public var muted: Bool?
    /// Capabilities of ACP clients with which the agent was initialized and that its primary lacks; nil for none.
    public var missingCapabilities: [String]?
    /// The content that the agent accepts in a prompt besides text and links; nil if it is not known.
    public var promptCapabilities: PromptCapabilities?
    public var omitted: Omitted

    public var id: SessionRow.ID {
        SessionRow.ID(bridge: bridge, agent: agent, sessionId: sessionId, createdTs: createdTs)
    }
}

extension SessionDetails {
    /// The content that an agent accepts in a prompt besides text and links.
    public struct PromptCapabilities: Codable, Hashable, Sendable {
        public var image: Bool
        public var audio: Bool
        /// Embedded resources.
        public var embeddedContext: Bool
    }
}
