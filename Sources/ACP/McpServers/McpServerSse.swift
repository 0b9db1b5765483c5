import JSONCoding

extension ACP {
    /// A server that speaks MCP over server-sent events. Schema: `McpServerSse`.
    public struct McpServerSse: Object {
        /// For the user.
        public var name: String
        /// Its address.
        public var url: String
        /// Sent with each request; may hold secrets.
        public var headers: [HttpHeader]
        public var otherMembers: OtherMembers

        public init(name: String, url: String, headers: [HttpHeader], meta: RawJSON? = nil) {
            self.name = name
            self.url = url
            self.headers = headers
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
