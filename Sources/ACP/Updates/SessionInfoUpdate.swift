import JSONCoding

extension ACP {
    /// The session's entry in the list of sessions has changed; `null` removes a value. Schema:
    /// `SessionInfoUpdate`.
    public struct SessionInfoUpdate: Object {
        /// The title to show to the user.
        public var title: Patch<String>
        /// The time of the last activity, in ISO 8601.
        public var updatedAt: Patch<String>
        public var otherMembers: OtherMembers

        public init(title: Patch<String> = .unchanged, updatedAt: Patch<String> = .unchanged, meta: RawJSON? = nil) {
            self.title = title
            self.updatedAt = updatedAt
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
