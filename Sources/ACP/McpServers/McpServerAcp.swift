import JSONCoding

extension ACP {
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
}
