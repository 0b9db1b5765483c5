import JSONCoding

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
}
