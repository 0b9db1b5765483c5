import JSONCoding

extension ACP.Client {
    /// Something happened in a session. Agents send them in a turn, in a replay, between turns too. Schema:
    /// `SessionNotification`.
    public struct SessionNotification: ACP.Notification {
        public static let method = "session/update"

        /// The session it happened in.
        public var sessionId: ACP.SessionId
        /// What happened.
        public var update: ACP.SessionUpdate
        public var otherMembers: OtherMembers

        public init(sessionId: ACP.SessionId, update: ACP.SessionUpdate, meta: RawJSON? = nil) {
            self.sessionId = sessionId
            self.update = update
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
