import JSONCoding

extension ACP {
    /// Sound. Schema: `AudioContent`.
    public struct AudioContent: Object {
        /// For whom it is, and how important.
        @Lenient public var annotations: Annotations?
        /// The bytes, in Base64.
        public var data: String
        /// `audio/wav` for example.
        public var mimeType: String
        public var otherMembers: OtherMembers

        public init(data: String, mimeType: String, annotations: Annotations? = nil, meta: RawJSON? = nil) {
            self.annotations = annotations
            self.data = data
            self.mimeType = mimeType
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
