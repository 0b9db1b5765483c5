import JSONCoding

extension ACP {
    /// A login that the agent does by itself: `authenticate` starts it. Schema: `AuthMethodAgent`.
    public struct AuthMethodAgent: Object {
        /// For `authenticate`.
        public var id: AuthMethodId
        /// For the user to choose by.
        public var name: String
        /// More, for the user.
        @Lenient public var description: String?
        public var otherMembers: OtherMembers

        public init(id: AuthMethodId, name: String, description: String? = nil, meta: RawJSON? = nil) {
            self.id = id
            self.name = name
            self.description = description
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
