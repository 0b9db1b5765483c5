import JSONCoding

extension ACP.Agent {
    /// Unstable. The user did not take a suggestion. Schema: `RejectNesNotification`.
    public struct NesRejectNotification: ACP.Notification {
        public static let method = "nes/reject"

        /// From `nes/start`.
        public var sessionId: ACP.SessionId
        /// Which one.
        public var id: ACP.NesSuggestionId
        /// Why.
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
    /// Unstable. Why a suggestion was not taken. Schema: `NesRejectReason`.
    public struct NesRejectReason: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The user sent it away.
        public static let rejected = Self(rawValue: "rejected")
        /// The user went on editing.
        public static let ignored = Self(rawValue: "ignored")
        /// A newer one came.
        public static let replaced = Self(rawValue: "replaced")
        /// The request was cancelled before it was answered.
        public static let cancelled = Self(rawValue: "cancelled")

        public static let allCases = [rejected, ignored, replaced, cancelled]
    }
}
