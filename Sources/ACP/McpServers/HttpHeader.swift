import JSONCoding

extension ACP {
    /// A header of an HTTP request. Schema: `HttpHeader`.
    public struct HttpHeader: Object {
        /// The header's name, as it is sent.
        public var name: String
        /// The header's value, as it is sent.
        public var value: String
        public var otherMembers: OtherMembers

        public init(name: String, value: String, meta: RawJSON? = nil) {
            self.name = name
            self.value = value
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
