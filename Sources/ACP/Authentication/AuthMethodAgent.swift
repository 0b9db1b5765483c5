import JSONCoding

extension ACP {
    /// A login that the agent performs by itself; `authenticate` starts it. Schema: `AuthMethodAgent`.
    public struct AuthMethodAgent: Object {
        /// The id for `authenticate`.
        public var id: AuthMethodId
        /// The name to show to the user.
        public var name: String
        /// A longer description to show to the user.
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
