import JSONCoding

extension ACP {
    /// What a list of sessions says of one. Schema: `SessionInfo`.
    public struct SessionInfo: Object {
        /// For `session/load` and its kin.
        public var sessionId: SessionId
        /// Where it works: an absolute path.
        public var cwd: String
        /// Its roots besides `cwd`.
        @Lenient public var additionalDirectories: [String]
        /// For the user.
        @Lenient public var title: String?
        /// When something last happened, in ISO 8601.
        @Lenient public var updatedAt: String?
        public var otherMembers: OtherMembers

        public init(
            sessionId: SessionId, cwd: String, additionalDirectories: [String] = [], title: String? = nil,
            updatedAt: String? = nil, meta: RawJSON? = nil
        ) {
            self.sessionId = sessionId
            self.cwd = cwd
            self.additionalDirectories = additionalDirectories
            self.title = title
            self.updatedAt = updatedAt
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
