import JSONCoding

extension ACP {
    /// Unstable. Identifies an open connection to an MCP server over ACP. Schema: `McpConnectionId`.
    public struct McpConnectionId: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}

extension ACP.Client {
    /// Unstable. Opens a connection to an MCP server of type `acp`. Schema: `ConnectMcpRequest`.
    public struct McpConnectRequest: ACP.Request {
        public typealias Response = McpConnectResponse
        public static let method = "mcp/connect"

        /// The id that the client gave to the server.
        public var serverId: ACP.McpServerAcpId
        public var otherMembers: OtherMembers

        public init(serverId: ACP.McpServerAcpId, meta: RawJSON? = nil) {
            self.serverId = serverId
            otherMembers = OtherMembers(meta: meta)
        }
    }
}

extension ACP.Client {
    /// Unstable. The connection is open. Schema: `ConnectMcpResponse`.
    public struct McpConnectResponse: ACP.Object {
        /// The id for `mcp/message`.
        public var connectionId: ACP.McpConnectionId
        public var otherMembers: OtherMembers

        public init(connectionId: ACP.McpConnectionId, meta: RawJSON? = nil) {
            self.connectionId = connectionId
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
