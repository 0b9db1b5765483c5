import JSONCoding

extension ACP.Agent {
    /// Unstable. A document was opened. Schema: `DidOpenDocumentNotification`.
    public struct DocumentDidOpenNotification: ACP.Notification {
        public static let method = "document/didOpen"

        /// From `nes/start`.
        public var sessionId: ACP.SessionId
        /// Its address.
        public var uri: String
        /// Its language: `swift`.
        public var languageId: String
        /// Counts its changes.
        public var version: Int64
        /// All it holds.
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
