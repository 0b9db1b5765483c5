import JSONCoding

extension ACP.Agent {
    /// Opens a session. Schema: `NewSessionRequest`.
    public struct SessionNewRequest: ACP.Request {
        public typealias Response = SessionNewResponse
        public static let method = "session/new"

        /// Where the session works: an absolute path.
        public var cwd: String
        /// More roots, absolute. Only where the agent has `additionalDirectories`.
        @Lenient public var additionalDirectories: [String]
        /// The MCP servers that the agent is to connect to.
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
        /// Names the session from now on; the agent's choice.
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
