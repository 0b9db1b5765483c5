import JSONCoding

extension ACP.Agent {
    /// Closes a session. The agent cancels the session's work as `session/cancel` does, and frees its resources.
    /// Schema: `CloseSessionRequest`.
    public struct SessionCloseRequest: ACP.Request {
        public typealias Response = SessionCloseResponse
        public static let method = "session/close"

        /// The session to close.
        public var sessionId: ACP.SessionId
        public var otherMembers: OtherMembers

        public init(sessionId: ACP.SessionId, meta: RawJSON? = nil) {
            self.sessionId = sessionId
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The session is closed. Schema: `CloseSessionResponse`.
    public struct SessionCloseResponse: ACP.Object, DecodableFromNull {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
