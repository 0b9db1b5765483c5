import JSONCoding

extension ACP {
    /// A field for a whole number. Schema: `IntegerPropertySchema`.
    public struct IntegerPropertySchema: Object {
        /// The label.
        @Lenient public var title: String?
        /// What to fill in.
        @Lenient public var description: String?
        /// The least that is allowed.
        public var minimum: Int64?
        /// The most that is allowed.
        public var maximum: Int64?
        /// What is filled in already.
        @Lenient public var `default`: Int64?
        public var otherMembers: OtherMembers

        public init(
            title: String? = nil, description: String? = nil, minimum: Int64? = nil, maximum: Int64? = nil,
            default: Int64? = nil, meta: RawJSON? = nil
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
