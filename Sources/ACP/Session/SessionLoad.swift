import JSONCoding

extension ACP.Agent {
    /// Opens an earlier session and replays it: the agent sends the whole conversation as `session/update`, then
    /// responds. Schema: `LoadSessionRequest`.
    public struct SessionLoadRequest: ACP.Request {
        public typealias Response = SessionLoadResponse
        public static let method = "session/load"

        /// The session to open.
        public var sessionId: ACP.SessionId
        /// The session's working directory: an absolute path, and the same one as before.
        public var cwd: String
        /// All roots of the session besides `cwd`. Send them each time, because they are not stored.
        @Lenient public var additionalDirectories: [String]
        /// The MCP servers that the agent must connect to.
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

    /// The replay is complete. Some agents respond with `null`. Schema: `LoadSessionResponse`.
    public struct SessionLoadResponse: ACP.Object, DecodableFromNull {
        /// The available modes and the current one.
        @Lenient public var modes: ACP.SessionModeState?
        /// The session's options and their current values.
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
