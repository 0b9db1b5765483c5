import JSONCoding

extension ACP {
    /// What a list of sessions says of this one has changed; `null` takes a value away. Schema: `SessionInfoUpdate`.
    public struct SessionInfoUpdate: Object {
        /// For the user.
        public var title: Patch<String>
        /// When something last happened, in ISO 8601.
        public var updatedAt: Patch<String>
        public var otherMembers: OtherMembers

        public init(title: Patch<String> = .unchanged, updatedAt: Patch<String> = .unchanged, meta: RawJSON? = nil) {
            self.title = title
            self.updatedAt = updatedAt
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
