import JSONCoding

extension ACP {
    /// The reason why a request failed: the `error` of a JSON-RPC response. Schema: `Error`.
    public struct ErrorObject: Object {
        /// The code, for programs.
        public var code: ErrorCode
        /// One sentence, for people.
        public var message: String
        /// Additional information, in any form.
        public var data: RawJSON?
        public var otherMembers: OtherMembers

        public init(code: ErrorCode, message: String, data: RawJSON? = nil) {
            self.code = code
            self.message = message
            self.data = data
            otherMembers = OtherMembers()
        }
    }
}
