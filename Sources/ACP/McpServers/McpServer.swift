import JSONCoding

extension ACP {
    /// An MCP server for the agent to connect to. Without a `type` the agent starts it. Schema: `McpServer`.
    public enum McpServer: TaggedUnion {
        /// A program that the agent runs; all agents can.
        case stdio(McpServerStdio)
        /// Over HTTP, where the agent has `mcpCapabilities.http`.
        case http(McpServerHttp)
        /// Over server-sent events, where the agent has `mcpCapabilities.sse`.
        case sse(McpServerSse)
        /// Unstable. Over this very connection, where the agent has `mcpCapabilities.acp`.
        case acp(McpServerAcp)
        /// A kind that is not known here, as it is spelt.
        case unknown(UnknownVariant)

        public static let tagName = "type"

        public init(tag: String?, from decoder: any Decoder) throws {
            switch tag {
            case nil: self = .stdio(try McpServerStdio(from: decoder))
            case "stdio":
                // Not what the schema says, but what some clients write.
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
