import JSONCoding

extension ACP {
    /// An MCP server that is reached over HTTP. Schema: `McpServerHttp`.
    public struct McpServerHttp: Object {
        /// The name to show to the user.
        public var name: String
        /// The URL.
        public var url: String
        /// Headers to send with each request. They can contain secrets.
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
