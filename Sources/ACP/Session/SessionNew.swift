import JSONCoding

extension ACP.Agent {
    /// Opens a session. Schema: `NewSessionRequest`.
    public struct SessionNewRequest: ACP.Request {
        public typealias Response = SessionNewResponse
        public static let method = "session/new"

        /// The session's working directory: an absolute path.
        public var cwd: String
        /// More roots, as absolute paths. Only for agents with the `additionalDirectories` capability.
        @Lenient public var additionalDirectories: [String]
        /// The MCP servers that the agent must connect to.
        @Lossy public var mcpServers: [ACP.McpServer]
        public var otherMembers: OtherMembers

        public init(
            cwd: String, additionalDirectories: [String] = [], mcpServers: [ACP.McpServer] = [], meta: RawJSON? = nil
        ) {
            self.cwd = cwd
            self.additionalDirectories = additionalDirectories
            self.mcpServers = mcpServers
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The session is open. Schema: `NewSessionResponse`.
    public struct SessionNewResponse: ACP.Object {
        /// The id of the new session, chosen by the agent.
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
