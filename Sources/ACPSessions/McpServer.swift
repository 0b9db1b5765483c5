import ACPBase
import JSONCoding

extension ACP {
    /// An MCP server for the agent to connect to. The agent starts a server without a `type` as a program. Schema:
    /// `McpServer`.
    public enum McpServer: TaggedUnion {
        /// A program that the agent runs. All agents support it.
        case stdio(McpServerStdio)
        /// An HTTP server, for agents with `mcpCapabilities.http`.
        case http(McpServerHttp)
        /// A server of server-sent events, for agents with `mcpCapabilities.sse`.
        case sse(McpServerSse)
        /// Unstable. A server reached over this ACP connection, for agents with `mcpCapabilities.acp`.
        case acp(McpServerAcp)
        /// An unknown kind; its JSON is kept unchanged.
        case unknown(UnknownVariant)

        public static let tagName = "type"

        public init(tag: String?, from decoder: any Decoder) throws {
            switch tag {
            case nil: self = .stdio(try McpServerStdio(from: decoder))
            case "stdio":
                // The schema does not define this type, but some clients send it.
                var server = try McpServerStdio(from: decoder)
                server.otherMembers["type"] = "stdio"
                self = .stdio(server)
            case "http": self = .http(try McpServerHttp(from: decoder))
            case "sse": self = .sse(try McpServerSse(from: decoder))
            case "acp": self = .acp(try McpServerAcp(from: decoder))
            default: self = .unknown(try UnknownVariant(tag, from: decoder))
            }
        }

        public var variant: Variant {
            switch self {
            case .stdio(let value): Variant(nil, value)
            case .http(let value): Variant("http", value)
            case .sse(let value): Variant("sse", value)
            case .acp(let value): Variant("acp", value)
            case .unknown(let value): Variant(value)
            }
        }
    }

    /// An MCP server that is a program and uses its standard input and output. Schema: `McpServerStdio`.
    public struct McpServerStdio: Object {
        /// The name to show to the user.
        public var name: String
        /// The absolute path of the program.
        public var command: String
        /// The program's arguments.
        public var args: [String]
        /// Environment variables to set.
        public var env: [EnvVariable]
        public var otherMembers: OtherMembers

        public init(name: String, command: String, args: [String], env: [EnvVariable], meta: RawJSON? = nil) {
            self.name = name
            self.command = command
            self.args = args
            self.env = env
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// An MCP server that is reached over HTTP. Schema: `McpServerHttp`.
    public struct McpServerHttp: Object {
        /// The name to show to the user.
        public var name: String
        /// The URL.
        public var url: String
        /// Headers to send with each request. They can contain secrets.
        public var headers: [HttpHeader]
        public var otherMembers: OtherMembers

        public init(name: String, url: String, headers: [HttpHeader], meta: RawJSON? = nil) {
            self.name = name
            self.url = url
            self.headers = headers
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// An MCP server that is reached over server-sent events. Schema: `McpServerSse`.
    public struct McpServerSse: Object {
        /// The name to show to the user.
        public var name: String
        /// The URL.
        public var url: String
        /// Headers to send with each request. They can contain secrets.
        public var headers: [HttpHeader]
        public var otherMembers: OtherMembers

        public init(name: String, url: String, headers: [HttpHeader], meta: RawJSON? = nil) {
            self.name = name
            self.url = url
            self.headers = headers
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. Identifies an MCP server that is reached over ACP. The provider of the server chooses the id,
    /// which is unique on a connection. Schema: `McpServerAcpId`.
    public struct McpServerAcpId: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// Unstable. An MCP server that is reached over this ACP connection, with the `mcp/` methods. Schema:
    /// `McpServerAcp`.
    public struct McpServerAcp: Object {
        /// The name to show to the user.
        public var name: String
        /// The id for `mcp/connect`.
        public var serverId: McpServerAcpId
        public var otherMembers: OtherMembers

        public init(name: String, serverId: McpServerAcpId, meta: RawJSON? = nil) {
            self.name = name
            self.serverId = serverId
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// An environment variable of a process. Schema: `EnvVariable`.
    public struct EnvVariable: Object {
        /// The name of the variable.
        public var name: String
        /// The value of the variable. It can be a secret.
        public var value: String
        public var otherMembers: OtherMembers

        public init(name: String, value: String, meta: RawJSON? = nil) {
            self.name = name
            self.value = value
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// A header of an HTTP request. Schema: `HttpHeader`.
    public struct HttpHeader: Object {
        /// The header's name, as it is sent.
        public var name: String
        /// The header's value, as it is sent.
        public var value: String
        public var otherMembers: OtherMembers

        public init(name: String, value: String, meta: RawJSON? = nil) {
            self.name = name
            self.value = value
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
