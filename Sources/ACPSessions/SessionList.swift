import ACPBase
import ACPMethods
import JSONCoding

extension ACP.Agent {
    /// Lists the sessions that can be opened, one page at a time. Schema: `ListSessionsRequest`.
    public struct SessionListRequest: ACP.Request, DecodableFromNull {
        public typealias Response = SessionListResponse
        public static let method = ACPMethod.sessionList.name

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

    /// Removes a session from the list. Deleting a session that does not exist is not an error. Schema:
    /// `DeleteSessionRequest`.
    public struct SessionDeleteRequest: ACP.Request {
        public typealias Response = SessionDeleteResponse
        public static let method = ACPMethod.sessionDelete.name

        /// The session to delete.
        public var sessionId: ACP.SessionId
        public var otherMembers: OtherMembers

        public init(sessionId: ACP.SessionId, meta: RawJSON? = nil) {
            self.sessionId = sessionId
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The session is deleted. Schema: `DeleteSessionResponse`.
    public struct SessionDeleteResponse: ACP.Object, DecodableFromNull {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }
}

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
