import JSONCoding

extension ACP {
    /// A form to fill in. Not for secrets. Schema: `ElicitationFormMode`.
    public struct ElicitationFormMode: Codable, Hashable, Sendable {
        /// Its fields.
        public var requestedSchema: ElicitationSchema

        public init(requestedSchema: ElicitationSchema) {
            self.requestedSchema = requestedSchema
        }
    }

    /// An address to go to. The question is answered when the user agrees; `elicitation/complete` says when it is done.
    /// Schema: `ElicitationUrlMode`.
    public struct ElicitationUrlMode: Codable, Hashable, Sendable {
        /// For `elicitation/complete`.
        public var elicitationId: ElicitationId
        /// The address.
        public var url: String

        public init(elicitationId: ElicitationId, url: String) {
            self.elicitationId = elicitationId
            self.url = url
        }
    }
}
