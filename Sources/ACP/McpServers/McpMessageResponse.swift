import JSONCoding

extension ACP {
    /// Unstable. The result of an MCP request: any JSON value. Schema: `MessageMcpResponse`.
    public struct McpMessageResponse: Hashable, Codable, Sendable {
        /// The MCP result, unchanged.
        public var result: RawJSON

        public init(result: RawJSON) { self.result = result }

        public init(from decoder: any Decoder) throws { result = try RawJSON(from: decoder) }

        public func encode(to encoder: any Encoder) throws { try result.encode(to: encoder) }
    }
}
