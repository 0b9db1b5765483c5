import JSONCoding

extension ACP {
    /// Hints on how to show a block. Schema: `Annotations`.
    public struct Annotations: Object {
        /// For whom it is; everyone when absent.
        @Lenient public var audience: [Role]?
        /// When what it shows last changed, in ISO 8601.
        @Lenient public var lastModified: String?
        /// How important it is, from 0 to 1.
        @Lenient public var priority: Double?
        public var otherMembers: OtherMembers

        public init(
            audience: [Role]? = nil, lastModified: String? = nil, priority: Double? = nil, meta: RawJSON? = nil
        ) {
            self.audience = audience
            self.lastModified = lastModified
            self.priority = priority
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
