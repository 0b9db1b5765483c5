import JSONCoding

extension ACP.Agent {
    /// Unstable. A document came to the front. Schema: `DidFocusDocumentNotification`.
    public struct DocumentDidFocusNotification: ACP.Notification {
        public static let method = "document/didFocus"

        /// From `nes/start`.
        public var sessionId: ACP.SessionId
        /// Its address.
        public var uri: String
        /// Counts its changes.
        public var version: Int64
        /// Where the cursor is.
        public var position: ACP.Position
        /// What is to be seen of it.
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
