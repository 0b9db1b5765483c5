import JSONCoding

extension ACP {
    /// A form to fill in. Must not be used for secrets. Schema: `ElicitationFormMode`.
    public struct ElicitationFormMode: Codable, Hashable, Sendable {
        /// The fields of the form.
        public var requestedSchema: ElicitationSchema

        public init(requestedSchema: ElicitationSchema) {
            self.requestedSchema = requestedSchema
        }
    }

    /// A URL to open. The request is answered when the user agrees to open the URL; `elicitation/complete` reports
    /// that the interaction is complete. Schema: `ElicitationUrlMode`.
    public struct ElicitationUrlMode: Codable, Hashable, Sendable {
        /// The id that `elicitation/complete` refers to.
        public var elicitationId: ElicitationId
        /// The URL.
        public var url: String

        public init(elicitationId: ElicitationId, url: String) {
            self.elicitationId = elicitationId
            self.url = url
        }
    }
}
