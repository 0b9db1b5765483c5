import JSONCoding

extension ACP {
    /// Unstable. Names a server that is reached over ACP. Chosen by who provides it, and not used twice on a
    /// connection. Schema: `McpServerAcpId`.
    public struct McpServerAcpId: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// Unstable. A server that is reached over this connection, by the `mcp/` methods. Schema: `McpServerAcp`.
    public struct McpServerAcp: Object {
        /// For the user.
        public var name: String
        /// For `mcp/connect`.
        public var serverId: McpServerAcpId
        public var otherMembers: OtherMembers

        public init(name: String, serverId: McpServerAcpId, meta: RawJSON? = nil) {
            self.name = name
            self.serverId = serverId
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
