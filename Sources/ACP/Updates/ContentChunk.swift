import JSONCoding

extension ACP {
    /// Names a message within its session. Schema: `MessageId`.
    public struct MessageId: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// A piece of a message. Schema: `ContentChunk`.
    public struct ContentChunk: Object {
        /// To be appended to what came before.
        public var content: ContentBlock
        /// The message it belongs to. Another id begins another message; without ids, another kind of update does.
        @Lenient public var messageId: MessageId?
        public var otherMembers: OtherMembers

        public init(content: ContentBlock, messageId: MessageId? = nil, meta: RawJSON? = nil) {
            self.content = content
            self.messageId = messageId
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
