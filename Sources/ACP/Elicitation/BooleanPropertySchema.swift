import JSONCoding

extension ACP {
    /// A field for yes or no. Schema: `BooleanPropertySchema`.
    public struct BooleanPropertySchema: Object {
        /// The label.
        @Lenient public var title: String?
        /// What it is about.
        @Lenient public var description: String?
        /// What is filled in already.
        @Lenient public var `default`: Bool?
        public var otherMembers: OtherMembers

        public init(title: String? = nil, description: String? = nil, default: Bool? = nil, meta: RawJSON? = nil) {
            self.title = title
            self.description = description
            self.default = `default`
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
