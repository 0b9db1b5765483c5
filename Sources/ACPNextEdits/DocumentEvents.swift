import ACPBase
import ACPMethods
import JSONCoding

extension ACP.Agent {
    /// Unstable. A document was opened. Schema: `DidOpenDocumentNotification`.
    public struct DocumentDidOpenNotification: ACP.Notification {
        public static let method = ACPMethod.documentDidOpen.name

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

    /// Unstable. A document was changed. Schema: `DidChangeDocumentNotification`.
    public struct DocumentDidChangeNotification: ACP.Notification {
        public static let method = ACPMethod.documentDidChange.name

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

extension ACP.Agent {
    /// Unstable. A document was saved. Schema: `DidSaveDocumentNotification`.
    public struct DocumentDidSaveNotification: ACP.Notification {
        public static let method = ACPMethod.documentDidSave.name

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

    /// Unstable. A document received the focus. Schema: `DidFocusDocumentNotification`.
    public struct DocumentDidFocusNotification: ACP.Notification {
        public static let method = ACPMethod.documentDidFocus.name

        /// The session id that `nes/start` returned.
        public var sessionId: ACP.SessionId
        /// The URI.
        public var uri: String
        /// The document's version number, which grows with each change.
        public var version: Int64
        /// The position of the cursor.
        public var position: ACP.Position
        /// The range that is visible in the editor.
        public var visibleRange: ACP.Range
        public var otherMembers: OtherMembers

        public init(
            sessionId: ACP.SessionId, uri: String, version: Int64, position: ACP.Position, visibleRange: ACP.Range,
            meta: RawJSON? = nil
        ) {
            self.sessionId = sessionId
            self.uri = uri
            self.version = version
            self.position = position
            self.visibleRange = visibleRange
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. A document was closed. Schema: `DidCloseDocumentNotification`.
    public struct DocumentDidCloseNotification: ACP.Notification {
        public static let method = ACPMethod.documentDidClose.name

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
