import JSONCoding

extension ACP.Agent {
    /// Unstable. The user did not accept a suggestion. Schema: `RejectNesNotification`.
    public struct NesRejectNotification: ACP.Notification {
        public static let method = "nes/reject"

        /// The session id that `nes/start` returned.
        public var sessionId: ACP.SessionId
        /// The id of the suggestion.
        public var id: ACP.NesSuggestionId
        /// The reason why the suggestion was not accepted.
        @Lenient public var reason: ACP.NesRejectReason?
        public var otherMembers: OtherMembers

        public init(
            sessionId: ACP.SessionId, id: ACP.NesSuggestionId, reason: ACP.NesRejectReason? = nil, meta: RawJSON? = nil
        ) {
            self.sessionId = sessionId
            self.id = id
            self.reason = reason
            otherMembers = OtherMembers(meta: meta)
        }
    }
}

extension ACP {
    /// Unstable. The reason why a suggestion was not accepted. Schema: `NesRejectReason`.
    public struct NesRejectReason: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The user dismissed the suggestion.
        public static let rejected = Self(rawValue: "rejected")
        /// The user continued to edit.
        public static let ignored = Self(rawValue: "ignored")
        /// A newer suggestion replaced it.
        public static let replaced = Self(rawValue: "replaced")
        /// The request was cancelled before it was answered.
        public static let cancelled = Self(rawValue: "cancelled")

        public static let allCases = [rejected, ignored, replaced, cancelled]
    }
}
