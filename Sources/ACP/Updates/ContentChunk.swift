import JSONCoding

extension ACP {
    /// Identifies a message within its session. Schema: `MessageId`.
    public struct MessageId: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// A part of a message. Schema: `ContentChunk`.
    public struct ContentChunk: Object {
        /// The content to append to the message.
        public var content: ContentBlock
        /// The id of the message. A different id begins a new message; without ids, a different kind of update
        /// does.
        @Lenient public var messageId: MessageId?
        public var otherMembers: OtherMembers

        public init(content: ContentBlock, messageId: MessageId? = nil, meta: RawJSON? = nil) {
            self.content = content
            self.messageId = messageId
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
