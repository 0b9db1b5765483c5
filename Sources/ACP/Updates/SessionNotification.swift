import JSONCoding

extension ACP.Client {
    /// An event in a session. Agents send it during turns, during replays, and between turns. Schema:
    /// `SessionNotification`.
    public struct SessionNotification: ACP.Notification {
        public static let method = "session/update"

        /// The session in which the event occurred.
        public var sessionId: ACP.SessionId
        /// The event.
        public var update: ACP.SessionUpdate
        public var otherMembers: OtherMembers

        public init(sessionId: ACP.SessionId, update: ACP.SessionUpdate, meta: RawJSON? = nil) {
            self.sessionId = sessionId
            self.update = update
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
