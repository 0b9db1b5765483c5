import JSONCoding

extension ACP {
    /// Hints on how to display a content block. Schema: `Annotations`.
    public struct Annotations: Object {
        /// The intended audience; everyone when absent.
        @Lenient public var audience: [Role]?
        /// The time at which the content was last changed, in ISO 8601.
        @Lenient public var lastModified: String?
        /// The importance of the content, from 0 to 1.
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
