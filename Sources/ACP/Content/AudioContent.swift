import JSONCoding

extension ACP {
    /// Audio. Schema: `AudioContent`.
    public struct AudioContent: Object {
        /// The audience and the importance of the content.
        @Lenient public var annotations: Annotations?
        /// The bytes, in Base64.
        public var data: String
        /// The MIME type, for example `audio/wav`.
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
