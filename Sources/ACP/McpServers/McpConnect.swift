import JSONCoding

extension ACP {
    /// Unstable. Names an open connection to an MCP server over ACP. Schema: `McpConnectionId`.
    public struct McpConnectionId: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}

extension ACP.Client {
    /// Unstable. Opens a connection to a server of type `acp`. Schema: `ConnectMcpRequest`.
    public struct McpConnectRequest: ACP.Request {
        public typealias Response = McpConnectResponse
        public static let method = "mcp/connect"

        /// The server, as the client named it.
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
        /// For `mcp/message`.
        public var connectionId: ACP.McpConnectionId
        public var otherMembers: OtherMembers

        public init(connectionId: ACP.McpConnectionId, meta: RawJSON? = nil) {
            self.connectionId = connectionId
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
