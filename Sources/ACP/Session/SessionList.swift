import JSONCoding

extension ACP.Agent {
    /// Lists the sessions that can be opened, one page at a time. Schema: `ListSessionsRequest`.
    public struct SessionListRequest: ACP.Request, DecodableFromNull {
        public typealias Response = SessionListResponse
        public static let method = "session/list"

        /// Lists only the sessions with this working directory: an absolute path.
        public var cwd: String?
        /// The `nextCursor` of the previous page. Clients must not interpret or store it.
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
        /// The sessions on this page; can be empty.
        @Lossy public var sessions: [ACP.SessionInfo]
        /// The cursor of the next page; absent on the last page.
        @Lenient public var nextCursor: String?
        public var otherMembers: OtherMembers

        public init(sessions: [ACP.SessionInfo] = [], nextCursor: String? = nil, meta: RawJSON? = nil) {
            self.sessions = sessions
            self.nextCursor = nextCursor
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
