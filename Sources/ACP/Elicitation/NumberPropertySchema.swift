import JSONCoding

extension ACP {
    /// A form field for a number. Schema: `NumberPropertySchema`.
    public struct NumberPropertySchema: Object {
        /// The label of the field.
        @Lenient public var title: String?
        /// A description of the value to enter.
        @Lenient public var description: String?
        /// The smallest value that is allowed.
        public var minimum: Double?
        /// The largest value that is allowed.
        public var maximum: Double?
        /// The initial value.
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
