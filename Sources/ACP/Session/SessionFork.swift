import JSONCoding

extension ACP.Agent {
    /// Unstable. Opens a new session with a copy of another session's context. The other session is not changed.
    /// Schema: `ForkSessionRequest`.
    public struct SessionForkRequest: ACP.Request {
        public typealias Response = SessionForkResponse
        public static let method = "session/fork"

        /// The session to copy.
        public var sessionId: ACP.SessionId
        /// The working directory of the new session: an absolute path.
        public var cwd: String
        /// All roots of the new session besides `cwd`.
        @Lenient public var additionalDirectories: [String]
        /// The MCP servers that the agent must connect to.
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
        /// The id of the new session.
        public var sessionId: ACP.SessionId
        /// The available modes and the current one.
        @Lenient public var modes: ACP.SessionModeState?
        /// The session's options and their current values.
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
