import JSONCoding

extension ACP {
    /// The sender no longer needs the response to a request. The request is still answered: with a result, or with
    /// the error `requestCancelled`. The receiver can ignore the notification. Schema: `CancelRequestNotification`.
    public struct CancelRequestNotification: Notification {
        public static let method = "$/cancel_request"

        /// The JSON-RPC id of the request.
        public var requestId: RequestId
        public var otherMembers: OtherMembers

        public init(requestId: RequestId, meta: RawJSON? = nil) {
            self.requestId = requestId
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
