import JSONCoding

extension ACP {
    /// A session's entry in the list of sessions. Schema: `SessionInfo`.
    public struct SessionInfo: Object {
        /// The id for `session/load`, `session/resume` and similar methods.
        public var sessionId: SessionId
        /// The session's working directory: an absolute path.
        public var cwd: String
        /// The session's roots besides `cwd`.
        @Lenient public var additionalDirectories: [String]
        /// The title to show to the user.
        @Lenient public var title: String?
        /// The time of the last activity, in ISO 8601.
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
