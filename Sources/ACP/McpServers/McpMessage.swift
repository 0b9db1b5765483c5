import JSONCoding

extension ACP {
    /// Unstable. An MCP request, carried over ACP in either direction. Schema: `MessageMcpRequest`.
    public struct McpMessageRequest: Request {
        public typealias Response = McpMessageResponse
        public static let method = "mcp/message"

        /// The connection that carries the message.
        public var connectionId: McpConnectionId
        /// The MCP method.
        public var method: String
        /// The MCP params, an object.
        public var params: RawJSON?
        public var otherMembers: OtherMembers

        public init(connectionId: McpConnectionId, method: String, params: RawJSON? = nil, meta: RawJSON? = nil) {
            self.connectionId = connectionId
            self.method = method
            self.params = params
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. An MCP notification, carried over ACP in either direction. Schema: `MessageMcpNotification`.
    public struct McpMessageNotification: Notification {
        public static let method = "mcp/message"

        /// The connection that carries the message.
        public var connectionId: McpConnectionId
        /// The MCP method.
        public var method: String
        /// The MCP params, an object.
        public var params: RawJSON?
        public var otherMembers: OtherMembers

        public init(connectionId: McpConnectionId, method: String, params: RawJSON? = nil, meta: RawJSON? = nil) {
            self.connectionId = connectionId
            self.method = method
            self.params = params
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
