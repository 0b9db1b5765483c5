import JSONCoding

extension ACP.Agent {
    /// Unstable. A document was changed. Schema: `DidChangeDocumentNotification`.
    public struct DocumentDidChangeNotification: ACP.Notification {
        public static let method = "document/didChange"

        /// The session id that `nes/start` returned.
        public var sessionId: ACP.SessionId
        /// The URI.
        public var uri: String
        /// The document's version number, which grows with each change.
        public var version: Int64
        /// The changes, in the order in which they apply.
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
        /// The range that was replaced; the whole document when absent.
        public var range: Range?
        /// The replacement text.
        public var text: String
        public var otherMembers: OtherMembers

        public init(text: String, range: Range? = nil, meta: RawJSON? = nil) {
            self.range = range
            self.text = text
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
