import JSONCoding

extension ACP.Agent {
    /// Unstable. A document was saved. Schema: `DidSaveDocumentNotification`.
    public struct DocumentDidSaveNotification: ACP.Notification {
        public static let method = "document/didSave"

        /// From `nes/start`.
        public var sessionId: ACP.SessionId
        /// Its address.
        public var uri: String
        public var otherMembers: OtherMembers

        public init(sessionId: ACP.SessionId, uri: String, meta: RawJSON? = nil) {
            self.sessionId = sessionId
            self.uri = uri
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
