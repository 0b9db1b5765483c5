import JSONCoding

extension ACP {
    /// The sender no longer needs the answer to a request. It still gets one: a result, or `requestCancelled`. May be
    /// ignored. Schema: `CancelRequestNotification`.
    public struct CancelRequestNotification: Notification {
        public static let method = "$/cancel_request"

        /// The JSON-RPC id of that request.
        public var requestId: RequestId
        public var otherMembers: OtherMembers

        public init(requestId: RequestId, meta: RawJSON? = nil) {
            self.requestId = requestId
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
