import JSONCoding

extension ACP.Agent {
    /// Stops the turn: the agent ends it with the stop reason `cancelled`. The client answers pending
    /// `session/request_permission` requests with `cancelled`. Schema: `CancelNotification`.
    public struct SessionCancelNotification: ACP.Notification {
        public static let method = "session/cancel"

        /// The session whose turn must stop.
        public var sessionId: ACP.SessionId
        public var otherMembers: OtherMembers

        public init(sessionId: ACP.SessionId, meta: RawJSON? = nil) {
            self.sessionId = sessionId
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
