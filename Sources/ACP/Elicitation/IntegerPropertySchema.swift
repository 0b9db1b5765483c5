import JSONCoding

extension ACP {
    /// A form field for a whole number. Schema: `IntegerPropertySchema`.
    public struct IntegerPropertySchema: Object {
        /// The label of the field.
        @Lenient public var title: String?
        /// A description of the value to enter.
        @Lenient public var description: String?
        /// The smallest value that is allowed.
        public var minimum: Int64?
        /// The largest value that is allowed.
        public var maximum: Int64?
        /// The initial value.
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
