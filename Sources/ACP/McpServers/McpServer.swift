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
}
