import JSONCoding

extension ACP.Agent {
    /// Ends a session: what it does is cancelled as by `session/cancel`, what it holds is freed. Schema:
    /// `CloseSessionRequest`.
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
