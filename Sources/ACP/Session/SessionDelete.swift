import JSONCoding

extension ACP.Agent {
    /// Takes a session from the list. One that is gone already is no error. Schema: `DeleteSessionRequest`.
    public struct SessionDeleteRequest: ACP.Request {
        public typealias Response = SessionDeleteResponse
        public static let method = "session/delete"

        /// The session to delete.
        public var sessionId: ACP.SessionId
        public var otherMembers: OtherMembers

        public init(sessionId: ACP.SessionId, meta: RawJSON? = nil) {
            self.sessionId = sessionId
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The session is gone. Schema: `DeleteSessionResponse`.
    public struct SessionDeleteResponse: ACP.Object, DecodableFromNull {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
