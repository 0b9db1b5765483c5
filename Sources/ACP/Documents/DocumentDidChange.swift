import JSONCoding

extension ACP.Agent {
    /// Unstable. A document was changed. Schema: `DidChangeDocumentNotification`.
    public struct DocumentDidChangeNotification: ACP.Notification {
        public static let method = "document/didChange"

        /// From `nes/start`.
        public var sessionId: ACP.SessionId
        /// Its address.
        public var uri: String
        /// Counts its changes.
        public var version: Int64
        /// One after another.
        @Lossy public var contentChanges: [ACP.TextDocumentContentChangeEvent]
        public var otherMembers: OtherMembers

        public init(
            sessionId: ACP.SessionId, uri: String, version: Int64,
            contentChanges: [ACP.TextDocumentContentChangeEvent] = [], meta: RawJSON? = nil
        ) {
            self.sessionId = sessionId
            self.uri = uri
            self.version = version
            self.contentChanges = contentChanges
            otherMembers = OtherMembers(meta: meta)
        }
    }
}

extension ACP {
    /// Unstable. A change of a document. Schema: `TextDocumentContentChangeEvent`.
    public struct TextDocumentContentChangeEvent: Object {
        /// What was replaced; all of it when absent.
        public var range: Range?
        /// By what.
        public var text: String
        public var otherMembers: OtherMembers

        public init(text: String, range: Range? = nil, meta: RawJSON? = nil) {
            self.range = range
            self.text = text
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
