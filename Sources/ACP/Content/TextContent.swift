import JSONCoding

extension ACP {
    /// Text, as Markdown where it is shown. Schema: `TextContent`.
    public struct TextContent: Object {
        /// For whom it is, and how important.
        @Lenient public var annotations: Annotations?
        /// The text itself.
        public var text: String
        public var otherMembers: OtherMembers

        public init(text: String, annotations: Annotations? = nil, meta: RawJSON? = nil) {
            self.annotations = annotations
            self.text = text
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
