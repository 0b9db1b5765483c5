import JSONCoding

extension ACP {
    /// A form field for a Boolean. Schema: `BooleanPropertySchema`.
    public struct BooleanPropertySchema: Object {
        /// The label of the field.
        @Lenient public var title: String?
        /// A description of the question.
        @Lenient public var description: String?
        /// The initial value.
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
