import JSONCoding

extension ACP.Client {
    /// Unstable. Closes a connection to an MCP server of type `acp`. Schema: `DisconnectMcpRequest`.
    public struct McpDisconnectRequest: ACP.Request {
        public typealias Response = McpDisconnectResponse
        public static let method = "mcp/disconnect"

        /// The connection to close.
        public var connectionId: ACP.McpConnectionId
        public var otherMembers: OtherMembers

        public init(connectionId: ACP.McpConnectionId, meta: RawJSON? = nil) {
            self.connectionId = connectionId
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. The connection is closed. Schema: `DisconnectMcpResponse`.
    public struct McpDisconnectResponse: ACP.Object, DecodableFromNull {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
