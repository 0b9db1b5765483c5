import JSONCoding

extension ACP {
    /// The question belongs to a session. Schema: `ElicitationSessionScope`.
    public struct ElicitationSessionScope: Codable, Hashable, Sendable {
        /// The session that asks.
        public var sessionId: SessionId
        /// The tool call that asks.
        @Lenient public var toolCallId: ToolCallId?

        public init(sessionId: SessionId, toolCallId: ToolCallId? = nil) {
            self.sessionId = sessionId
            self.toolCallId = toolCallId
        }
    }

    /// The question belongs to a request of the client's, before there is a session. Schema: `ElicitationRequestScope`.
    public struct ElicitationRequestScope: Codable, Hashable, Sendable {
        /// The JSON-RPC id of that request.
        public var requestId: RequestId

        public init(requestId: RequestId) {
            self.requestId = requestId
        }
    }
}
