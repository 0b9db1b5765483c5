import JSONCoding

extension ACP.Agent {
    /// Opens an earlier session without replaying it. Schema: `ResumeSessionRequest`.
    public struct SessionResumeRequest: ACP.Request {
        public typealias Response = SessionResumeResponse
        public static let method = "session/resume"

        /// The session to open.
        public var sessionId: ACP.SessionId
        /// Where it works: an absolute path, the one it had.
        public var cwd: String
        /// All its roots besides `cwd`: they are not remembered.
        @Lenient public var additionalDirectories: [String]
        /// The MCP servers that the agent is to connect to.
        @Lenient public var mcpServers: [ACP.McpServer]
        public var otherMembers: OtherMembers

        public init(
            sessionId: ACP.SessionId, cwd: String, additionalDirectories: [String] = [],
            mcpServers: [ACP.McpServer] = [], meta: RawJSON? = nil
        ) {
            self.sessionId = sessionId
            self.cwd = cwd
            self.additionalDirectories = additionalDirectories
            self.mcpServers = mcpServers
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The session is open. Schema: `ResumeSessionResponse`.
    public struct SessionResumeResponse: ACP.Object, DecodableFromNull {
        /// The modes to choose from, and the one that is on.
        @Lenient public var modes: ACP.SessionModeState?
        /// What can be set for this session, and what is set.
        @Lenient public var configOptions: [ACP.SessionConfigOption]?
        public var otherMembers: OtherMembers

        public init(
            modes: ACP.SessionModeState? = nil, configOptions: [ACP.SessionConfigOption]? = nil, meta: RawJSON? = nil
        ) {
            self.modes = modes
            self.configOptions = configOptions
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
