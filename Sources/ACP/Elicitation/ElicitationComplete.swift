import JSONCoding

extension ACP {
    /// Names a question that the user answers elsewhere. Schema: `ElicitationId`.
    public struct ElicitationId: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}

extension ACP.Client {
    /// The user has done at an address what was asked. Ids that are not known are to be ignored. Schema:
    /// `CompleteElicitationNotification`.
    public struct ElicitationCompleteNotification: ACP.Notification {
        public static let method = "elicitation/complete"

        /// From the question.
        public var elicitationId: ACP.ElicitationId
        public var otherMembers: OtherMembers

        public init(elicitationId: ACP.ElicitationId, meta: RawJSON? = nil) {
            self.elicitationId = elicitationId
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
