import JSONCoding

extension ACP.Agent {
    /// Opens an earlier session and replays it: the agent sends all of the conversation as `session/update`, then
    /// answers. Schema: `LoadSessionRequest`.
    public struct SessionLoadRequest: ACP.Request {
        public typealias Response = SessionLoadResponse
        public static let method = "session/load"

        /// The session to open.
        public var sessionId: ACP.SessionId
        /// Where it works: an absolute path, the one it had.
        public var cwd: String
        /// All its roots besides `cwd`: they are not remembered.
        @Lenient public var additionalDirectories: [String]
        /// The MCP servers that the agent is to connect to.
        @Lossy public var mcpServers: [ACP.McpServer]
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

    /// The replay is complete. Agents also answer `null`. Schema: `LoadSessionResponse`.
    public struct SessionLoadResponse: ACP.Object, DecodableFromNull {
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
