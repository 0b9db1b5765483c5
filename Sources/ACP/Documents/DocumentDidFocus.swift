import JSONCoding

extension ACP.Agent {
    /// Unstable. A document received the focus. Schema: `DidFocusDocumentNotification`.
    public struct DocumentDidFocusNotification: ACP.Notification {
        public static let method = "document/didFocus"

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
}
