import JSONCoding

extension ACP.Agent {
    /// Unstable. Opens a new session that knows what another one does, and leaves that as it is. Schema:
    /// `ForkSessionRequest`.
    public struct SessionForkRequest: ACP.Request {
        public typealias Response = SessionForkResponse
        public static let method = "session/fork"

        /// The session to begin from.
        public var sessionId: ACP.SessionId
        /// Where the new one works: an absolute path.
        public var cwd: String
        /// All its roots besides `cwd`.
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

    /// Unstable. The new session is open. Schema: `ForkSessionResponse`.
    public struct SessionForkResponse: ACP.Object {
        /// Names the new session.
        public var sessionId: ACP.SessionId
        /// The modes to choose from, and the one that is on.
        @Lenient public var modes: ACP.SessionModeState?
        /// What can be set for this session, and what is set.
        @Lenient public var configOptions: [ACP.SessionConfigOption]?
        public var otherMembers: OtherMembers

        public init(
            sessionId: ACP.SessionId, modes: ACP.SessionModeState? = nil,
            configOptions: [ACP.SessionConfigOption]? = nil, meta: RawJSON? = nil
        ) {
            self.sessionId = sessionId
            self.modes = modes
            self.configOptions = configOptions
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
