import JSONCoding

extension ACP {
    /// Links a question to a session. Schema: `ElicitationSessionScope`.
    public struct ElicitationSessionScope: Codable, Hashable, Sendable {
        /// The session that asks the question.
        public var sessionId: SessionId
        /// The tool call that asks the question.
        @Lenient public var toolCallId: ToolCallId?

        public init(sessionId: SessionId, toolCallId: ToolCallId? = nil) {
            self.sessionId = sessionId
            self.toolCallId = toolCallId
        }
    }

    /// Links a question to a request from the client, before a session exists. Schema: `ElicitationRequestScope`.
    public struct ElicitationRequestScope: Codable, Hashable, Sendable {
        /// The JSON-RPC id of the client's request.
        public var requestId: RequestId

        public init(requestId: RequestId) {
            self.requestId = requestId
        }
    }
}
