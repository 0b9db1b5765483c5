import ACPBase
import ACPMethods
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
        public static let method = ACPMethod.mcpConnect.name

        /// The id that the client gave to the server.
        public var serverId: ACP.McpServerAcpId
        public var otherMembers: OtherMembers

        public init(serverId: ACP.McpServerAcpId, meta: RawJSON? = nil) {
            self.serverId = serverId
            otherMembers = OtherMembers(meta: meta)
        }
    }

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

    /// Unstable. Closes a connection to an MCP server of type `acp`. Schema: `DisconnectMcpRequest`.
    public struct McpDisconnectRequest: ACP.Request {
        public typealias Response = McpDisconnectResponse
        public static let method = ACPMethod.mcpDisconnect.name

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

extension ACP {
    /// Unstable. An MCP request, carried over ACP in either direction. Schema: `MessageMcpRequest`.
    public struct McpMessageRequest: Request {
        public typealias Response = McpMessageResponse
        public static let method = ACPMethod.mcpMessage.name

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
        public static let method = ACPMethod.mcpMessage.name

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

    /// Unstable. The result of an MCP request: any JSON value. Schema: `MessageMcpResponse`.
    public struct McpMessageResponse: Hashable, Codable, Sendable {
        /// The MCP result, unchanged.
        public var result: RawJSON

        public init(result: RawJSON) { self.result = result }

        public init(from decoder: any Decoder) throws { result = try RawJSON(from: decoder) }

        public func encode(to encoder: any Encoder) throws { try result.encode(to: encoder) }
    }
}
