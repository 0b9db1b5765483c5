import ACPBase
import ACPMethods
import JSONCoding

extension ACP.Agent {
    /// Opens a session. Schema: `NewSessionRequest`.
    public struct SessionNewRequest: ACP.Request {
        public typealias Response = SessionNewResponse
        public static let method = ACPMethod.sessionNew.name

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

    /// Opens an earlier session and replays it: the agent sends the whole conversation as `session/update`, then
    /// responds. Schema: `LoadSessionRequest`.
    public struct SessionLoadRequest: ACP.Request {
        public typealias Response = SessionLoadResponse
        public static let method = ACPMethod.sessionLoad.name

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

    /// Opens an earlier session without replaying it. Schema: `ResumeSessionRequest`.
    public struct SessionResumeRequest: ACP.Request {
        public typealias Response = SessionResumeResponse
        public static let method = ACPMethod.sessionResume.name

        /// The session to open.
        public var sessionId: ACP.SessionId
        /// The session's working directory: an absolute path, and the same one as before.
        public var cwd: String
        /// All roots of the session besides `cwd`. Send them each time, because they are not stored.
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

    /// The session is open. Schema: `ResumeSessionResponse`.
    public struct SessionResumeResponse: ACP.Object, DecodableFromNull {
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

    /// Unstable. Opens a new session with a copy of another session's context. The other session is not changed.
    /// Schema: `ForkSessionRequest`.
    public struct SessionForkRequest: ACP.Request {
        public typealias Response = SessionForkResponse
        public static let method = ACPMethod.sessionFork.name

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

    /// Closes a session. The agent cancels the session's work as `session/cancel` does, and frees its resources.
    /// Schema: `CloseSessionRequest`.
    public struct SessionCloseRequest: ACP.Request {
        public typealias Response = SessionCloseResponse
        public static let method = ACPMethod.sessionClose.name

        /// The session to close.
        public var sessionId: ACP.SessionId
        public var otherMembers: OtherMembers

        public init(sessionId: ACP.SessionId, meta: RawJSON? = nil) {
            self.sessionId = sessionId
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The session is closed. Schema: `CloseSessionResponse`.
    public struct SessionCloseResponse: ACP.Object, DecodableFromNull {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
