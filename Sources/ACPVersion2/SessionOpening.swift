import ACPBase
import ACPMethods
import ACPSessions
import JSONCoding

extension ACP.V2.Agent {
    /// Opens a session. Schema: `NewSessionRequest`.
    public struct SessionNewRequest: ACP.Request {
        public typealias Response = SessionNewResponse
        public static let method = ACPMethod.sessionNew.name

        /// The session's working directory: an absolute path.
        public var cwd: String
        /// More roots, as absolute paths. Only for agents with the capability `session.additionalDirectories`.
        @Lenient public var additionalDirectories: [String]
        /// The MCP servers that the agent must connect to.
        @Lenient public var mcpServers: [ACP.V2.McpServer]
        public var otherMembers: OtherMembers

        public init(
            cwd: String, additionalDirectories: [String] = [], mcpServers: [ACP.V2.McpServer] = [],
            meta: RawJSON? = nil
        ) {
            self.cwd = cwd
            self.additionalDirectories = additionalDirectories
            self.mcpServers = mcpServers
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The session is open. It is idle, unless an update already stated another state. Schema: `NewSessionResponse`.
    public struct SessionNewResponse: ACP.Object {
        /// The id of the new session, chosen by the agent.
        public var sessionId: ACP.SessionId
        /// The session's options and their current values.
        @Lenient public var configOptions: [ACP.V2.SessionConfigOption]
        /// The commands that a prompt can begin with. Since alpha.6.
        @Lenient public var availableCommands: [ACP.V2.AvailableCommand]
        public var otherMembers: OtherMembers

        public init(
            sessionId: ACP.SessionId, configOptions: [ACP.V2.SessionConfigOption] = [],
            availableCommands: [ACP.V2.AvailableCommand] = [], meta: RawJSON? = nil
        ) {
            self.sessionId = sessionId
            self.configOptions = configOptions
            self.availableCommands = availableCommands
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Opens an earlier session, with or without a replay. It replaces `session/load` of version 1. Schema:
    /// `ResumeSessionRequest`.
    public struct SessionResumeRequest: ACP.Request {
        public typealias Response = SessionResumeResponse
        public static let method = ACPMethod.sessionResume.name

        /// The session to open.
        public var sessionId: ACP.SessionId
        /// The session's working directory: an absolute path.
        public var cwd: String
        /// All roots of the session besides `cwd`.
        @Lenient public var additionalDirectories: [String]
        /// The MCP servers that the agent must connect to.
        @Lenient public var mcpServers: [ACP.V2.McpServer]
        /// The place where the replay begins, itself included; no replay if absent.
        @Lenient public var replayFrom: ACP.V2.ReplayFrom?
        public var otherMembers: OtherMembers

        public init(
            sessionId: ACP.SessionId, cwd: String, replayFrom: ACP.V2.ReplayFrom? = nil,
            additionalDirectories: [String] = [], mcpServers: [ACP.V2.McpServer] = [], meta: RawJSON? = nil
        ) {
            self.sessionId = sessionId
            self.cwd = cwd
            self.additionalDirectories = additionalDirectories
            self.mcpServers = mcpServers
            self.replayFrom = replayFrom
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The session is open. The replay has ended, and a `state_update` stated the current state. The answer alone does
    /// not mean that the session is idle. Schema: `ResumeSessionResponse`.
    public struct SessionResumeResponse: ACP.Object {
        /// The session's options and their current values.
        @Lenient public var configOptions: [ACP.V2.SessionConfigOption]
        /// The commands that a prompt can begin with. Since alpha.6.
        @Lenient public var availableCommands: [ACP.V2.AvailableCommand]
        public var otherMembers: OtherMembers

        public init(
            configOptions: [ACP.V2.SessionConfigOption] = [], availableCommands: [ACP.V2.AvailableCommand] = [],
            meta: RawJSON? = nil
        ) {
            self.configOptions = configOptions
            self.availableCommands = availableCommands
            otherMembers = OtherMembers(meta: meta)
        }
    }
}

extension ACP.V2 {
    /// The place where a replay begins: `{"type":"start"}`. An agent that does not know the place rejects the request.
    /// Schema: `ReplayFrom`.
    public enum ReplayFrom: TaggedUnion {
        /// The beginning of the session.
        case start(ReplayFromStart)
        /// An unknown kind; its JSON is kept unchanged.
        case unknown(UnknownVariant)

        public static let tagName = "type"

        public init(tag: String?, from decoder: any Decoder) throws {
            switch tag {
            case "start": self = .start(try ReplayFromStart(from: decoder))
            default: self = .unknown(try UnknownVariant(tag, from: decoder))
            }
        }

        public var variant: Variant {
            switch self {
            case .start(let value): Variant("start", value)
            case .unknown(let value): Variant(value)
            }
        }
    }

    /// The beginning of a session; has no members yet. Schema: `ReplayFromStart`.
    public struct ReplayFromStart: ACP.Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// An MCP server for the agent to connect to. The unstable type `acp` is kept as an unknown kind. Schema:
    /// `McpServer`.
    public enum McpServer: TaggedUnion {
        /// A program that the agent runs, for agents with the capability `session.mcp.stdio`.
        case stdio(McpServerStdio)
        /// An HTTP server, for agents with the capability `session.mcp.http`.
        case http(McpServerHttp)
        /// An unknown kind; its JSON is kept unchanged.
        case unknown(UnknownVariant)

        public static let tagName = "type"

        public init(tag: String?, from decoder: any Decoder) throws {
            switch tag {
            case "stdio": self = .stdio(try McpServerStdio(from: decoder))
            case "http": self = .http(try McpServerHttp(from: decoder))
            default: self = .unknown(try UnknownVariant(tag, from: decoder))
            }
        }

        public var variant: Variant {
            switch self {
            case .stdio(let value): Variant("stdio", value)
            case .http(let value): Variant("http", value)
            case .unknown(let value): Variant(value)
            }
        }
    }

    /// An MCP server that is a program and uses its standard input and output. Schema: `McpServerStdio`.
    public struct McpServerStdio: ACP.Object {
        /// The name to show to the user.
        public var name: String
        /// The absolute path of the program.
        public var command: String
        /// The program's arguments; none if absent.
        public var args: [String]?
        /// Environment variables to set; none if absent.
        public var env: [ACP.EnvVariable]?
        public var otherMembers: OtherMembers

        public init(
            name: String, command: String, args: [String]? = nil, env: [ACP.EnvVariable]? = nil,
            meta: RawJSON? = nil
        ) {
            self.name = name
            self.command = command
            self.args = args
            self.env = env
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// An MCP server that is reached over HTTP. Schema: `McpServerHttp`.
    public struct McpServerHttp: ACP.Object {
        /// The name to show to the user.
        public var name: String
        /// The URL.
        public var url: String
        /// Headers to send with each request; none if absent. They can contain secrets.
        public var headers: [ACP.HttpHeader]?
        public var otherMembers: OtherMembers

        public init(name: String, url: String, headers: [ACP.HttpHeader]? = nil, meta: RawJSON? = nil) {
            self.name = name
            self.url = url
            self.headers = headers
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
