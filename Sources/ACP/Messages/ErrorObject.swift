import JSONCoding

extension ACP {
    /// Why a request failed: the `error` of a JSON-RPC response. Schema: `Error`.
    public struct ErrorObject: Object {
        /// For programs.
        public var code: ErrorCode
        /// One sentence, for people.
        public var message: String
        /// Whatever else there is to say.
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
