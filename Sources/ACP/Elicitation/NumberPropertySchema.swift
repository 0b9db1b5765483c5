import JSONCoding

extension ACP {
    /// A field for a number. Schema: `NumberPropertySchema`.
    public struct NumberPropertySchema: Object {
        /// The label.
        @Lenient public var title: String?
        /// What to fill in.
        @Lenient public var description: String?
        /// The least that is allowed.
        public var minimum: Double?
        /// The most that is allowed.
        public var maximum: Double?
        /// What is filled in already.
        @Lenient public var `default`: Double?
        public var otherMembers: OtherMembers

        public init(
            title: String? = nil, description: String? = nil, minimum: Double? = nil, maximum: Double? = nil,
            default: Double? = nil, meta: RawJSON? = nil
        ) {
            self.title = title
            self.description = description
            self.minimum = minimum
            self.maximum = maximum
            self.default = `default`
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
