import ACPBase
import ACPMethods
import JSONCoding

extension ACP.Agent {
    /// The user's message. The agent responds when the turn ends, which can take hours; during the turn the agent
    /// sends `session/update`. Schema: `PromptRequest`.
    public struct SessionPromptRequest: ACP.Request {
        public typealias Response = SessionPromptResponse
        public static let method = ACPMethod.sessionPrompt.name

        /// The session that receives the message.
        public var sessionId: ACP.SessionId
        /// The message. Text and links are always allowed; other blocks need the agent's `promptCapabilities`.
        public var prompt: [ACP.ContentBlock]
        public var otherMembers: OtherMembers

        public init(sessionId: ACP.SessionId, prompt: [ACP.ContentBlock], meta: RawJSON? = nil) {
            self.sessionId = sessionId
            self.prompt = prompt
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The turn has ended. Schema: `PromptResponse`.
    public struct SessionPromptResponse: ACP.Object {
        /// The reason why the turn ended.
        public var stopReason: ACP.StopReason
        /// Unstable. The tokens that the turn used.
        @Lenient public var usage: ACP.Usage?
        public var otherMembers: OtherMembers

        public init(stopReason: ACP.StopReason, usage: ACP.Usage? = nil, meta: RawJSON? = nil) {
            self.stopReason = stopReason
            self.usage = usage
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Stops the turn: the agent ends it with the stop reason `cancelled`. The client answers pending
    /// `session/request_permission` requests with `cancelled`. Schema: `CancelNotification`.
    public struct SessionCancelNotification: ACP.Notification {
        public static let method = ACPMethod.sessionCancel.name

        /// The session of the turn that must stop.
        public var sessionId: ACP.SessionId
        public var otherMembers: OtherMembers

        public init(sessionId: ACP.SessionId, meta: RawJSON? = nil) {
            self.sessionId = sessionId
            otherMembers = OtherMembers(meta: meta)
        }
    }
}

extension ACP {
    /// The reason why a turn ended. Schema: `StopReason`.
    public struct StopReason: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The agent completed its work.
        public static let endTurn = Self(rawValue: "end_turn")
        /// The turn reached the model's token limit.
        public static let maxTokens = Self(rawValue: "max_tokens")
        /// The turn reached the limit of model requests per turn.
        public static let maxTurnRequests = Self(rawValue: "max_turn_requests")
        /// The agent refused to continue. The prompt and everything after it will not be part of the next prompt.
        public static let refusal = Self(rawValue: "refusal")
        /// The client cancelled the turn.
        public static let cancelled = Self(rawValue: "cancelled")

        public static let allCases = [endTurn, maxTokens, maxTurnRequests, refusal, cancelled]
    }

    /// Unstable. The number of tokens used. Schema: `Usage`.
    public struct Usage: Object {
        /// All tokens.
        public var totalTokens: UInt64
        /// Tokens that the model read.
        public var inputTokens: UInt64
        /// Tokens that the model wrote.
        public var outputTokens: UInt64
        /// Tokens that the model wrote while thinking.
        @Lenient public var thoughtTokens: UInt64?
        /// Tokens read from a cache.
        @Lenient public var cachedReadTokens: UInt64?
        /// Tokens written to a cache.
        @Lenient public var cachedWriteTokens: UInt64?
        public var otherMembers: OtherMembers

        public init(
            totalTokens: UInt64, inputTokens: UInt64, outputTokens: UInt64, thoughtTokens: UInt64? = nil,
            cachedReadTokens: UInt64? = nil, cachedWriteTokens: UInt64? = nil, meta: RawJSON? = nil
        ) {
            self.totalTokens = totalTokens
            self.inputTokens = inputTokens
            self.outputTokens = outputTokens
            self.thoughtTokens = thoughtTokens
            self.cachedReadTokens = cachedReadTokens
            self.cachedWriteTokens = cachedWriteTokens
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
