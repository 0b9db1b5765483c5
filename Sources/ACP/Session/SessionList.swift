import JSONCoding

extension ACP.Agent {
    /// Asks for the sessions that can be opened, a page at a time. Schema: `ListSessionsRequest`.
    public struct SessionListRequest: ACP.Request, DecodableFromNull {
        public typealias Response = SessionListResponse
        public static let method = "session/list"

        /// Only those that work there: an absolute path.
        public var cwd: String?
        /// The `nextCursor` of the page before; not to be read or kept.
        public var cursor: String?
        public var otherMembers: OtherMembers

        public init(cwd: String? = nil, cursor: String? = nil, meta: RawJSON? = nil) {
            self.cwd = cwd
            self.cursor = cursor
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// One page of sessions. Schema: `ListSessionsResponse`.
    public struct SessionListResponse: ACP.Object {
        /// May be empty.
        @Lossy public var sessions: [ACP.SessionInfo]
        /// For the next page; absent at the end.
        @Lenient public var nextCursor: String?
        public var otherMembers: OtherMembers

        public init(sessions: [ACP.SessionInfo] = [], nextCursor: String? = nil, meta: RawJSON? = nil) {
            self.sessions = sessions
            self.nextCursor = nextCursor
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
