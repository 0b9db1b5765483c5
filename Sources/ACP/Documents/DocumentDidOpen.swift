import JSONCoding

extension ACP.Agent {
    /// Unstable. A document was opened. Schema: `DidOpenDocumentNotification`.
    public struct DocumentDidOpenNotification: ACP.Notification {
        public static let method = "document/didOpen"

        /// The session id that `nes/start` returned.
        public var sessionId: ACP.SessionId
        /// The URI.
        public var uri: String
        /// The language id, for example `swift`.
        public var languageId: String
        /// The document's version number, which grows with each change.
        public var version: Int64
        /// The whole text of the document.
        public var text: String
        public var otherMembers: OtherMembers

        public init(
            sessionId: ACP.SessionId, uri: String, languageId: String, version: Int64, text: String,
            meta: RawJSON? = nil
        ) {
            self.sessionId = sessionId
            self.uri = uri
            self.languageId = languageId
            self.version = version
            self.text = text
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
