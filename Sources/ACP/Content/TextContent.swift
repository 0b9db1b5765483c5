import JSONCoding

extension ACP {
    /// Text, which clients usually render as Markdown. Schema: `TextContent`.
    public struct TextContent: Object {
        /// The audience and the importance of the content.
        @Lenient public var annotations: Annotations?
        /// The text.
        public var text: String
        public var otherMembers: OtherMembers

        public init(text: String, annotations: Annotations? = nil, meta: RawJSON? = nil) {
            self.annotations = annotations
            self.text = text
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
