import JSONCoding

extension ACP {
    /// Unstable. What an MCP request was answered with: any JSON value. Schema: `MessageMcpResponse`.
    public struct McpMessageResponse: Hashable, Codable, Sendable {
        /// MCP's result, as it is spelt.
        public var result: RawJSON

        public init(result: RawJSON) { self.result = result }

        public init(from decoder: any Decoder) throws { result = try RawJSON(from: decoder) }

        public func encode(to encoder: any Encoder) throws { try result.encode(to: encoder) }
    }
}
