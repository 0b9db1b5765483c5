import JSONCoding

extension ACP.Agent {
    /// Removes a session from the list. Deleting a session that does not exist is not an error. Schema:
    /// `DeleteSessionRequest`.
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

    /// The session is deleted. Schema: `DeleteSessionResponse`.
    public struct SessionDeleteResponse: ACP.Object, DecodableFromNull {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
