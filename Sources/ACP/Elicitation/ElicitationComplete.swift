import JSONCoding

extension ACP {
    /// Identifies a question that the user answers in a browser. Schema: `ElicitationId`.
    public struct ElicitationId: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}

extension ACP.Client {
    /// The user has completed the interaction at the URL. Clients must ignore unknown ids. Schema:
    /// `CompleteElicitationNotification`.
    public struct ElicitationCompleteNotification: ACP.Notification {
        public static let method = "elicitation/complete"

        /// The id from `elicitation/create`.
        public var elicitationId: ACP.ElicitationId
        public var otherMembers: OtherMembers

        public init(elicitationId: ACP.ElicitationId, meta: RawJSON? = nil) {
            self.elicitationId = elicitationId
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
