import JSONCoding

extension ACP.Agent {
    /// Unstable. The user took a suggestion. Schema: `AcceptNesNotification`.
    public struct NesAcceptNotification: ACP.Notification {
        public static let method = "nes/accept"

        /// From `nes/start`.
        public var sessionId: ACP.SessionId
        /// Which one.
        public var id: ACP.NesSuggestionId
        public var otherMembers: OtherMembers

        public init(sessionId: ACP.SessionId, id: ACP.NesSuggestionId, meta: RawJSON? = nil) {
            self.sessionId = sessionId
            self.id = id
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
