import JSONCoding

extension ACP.Agent {
    /// Unstable. A document was closed. Schema: `DidCloseDocumentNotification`.
    public struct DocumentDidCloseNotification: ACP.Notification {
        public static let method = "document/didClose"

        /// The session id that `nes/start` returned.
        public var sessionId: ACP.SessionId
        /// The URI.
        public var uri: String
        public var otherMembers: OtherMembers

        public init(sessionId: ACP.SessionId, uri: String, meta: RawJSON? = nil) {
            self.sessionId = sessionId
            self.uri = uri
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
