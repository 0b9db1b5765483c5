import JSONCoding

extension ACP {
    /// Why a turn ended. Schema: `StopReason`.
    public struct StopReason: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The agent is done.
        public static let endTurn = Self(rawValue: "end_turn")
        /// The model's limit of tokens was reached.
        public static let maxTokens = Self(rawValue: "max_tokens")
        /// The limit of requests to the model in one turn was reached.
        public static let maxTurnRequests = Self(rawValue: "max_turn_requests")
        /// The agent will not go on. The prompt and all after it will not be part of the next one.
        public static let refusal = Self(rawValue: "refusal")
        /// The client stopped it.
        public static let cancelled = Self(rawValue: "cancelled")

        public static let allCases = [endTurn, maxTokens, maxTurnRequests, refusal, cancelled]
    }
}
