import JSONCoding

extension ACP.Agent {
    /// Unstable. The user accepted a suggestion. Schema: `AcceptNesNotification`.
    public struct NesAcceptNotification: ACP.Notification {
        public static let method = "nes/accept"

        /// The session id that `nes/start` returned.
        public var sessionId: ACP.SessionId
        /// The id of the suggestion.
        public var id: ACP.NesSuggestionId
        public var otherMembers: OtherMembers

        public init(sessionId: ACP.SessionId, id: ACP.NesSuggestionId, meta: RawJSON? = nil) {
            self.sessionId = sessionId
            self.id = id
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
