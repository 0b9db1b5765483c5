import JSONCoding

extension ACP {
    /// A picture. Schema: `ImageContent`.
    public struct ImageContent: Object {
        /// For whom it is, and how important.
        @Lenient public var annotations: Annotations?
        /// The bytes, in Base64.
        public var data: String
        /// `image/png` for example.
        public var mimeType: String
        /// Where it came from.
        @Lenient public var uri: String?
        public var otherMembers: OtherMembers

        public init(
            data: String, mimeType: String, annotations: Annotations? = nil, uri: String? = nil, meta: RawJSON? = nil
        ) {
            self.annotations = annotations
            self.data = data
            self.mimeType = mimeType
            self.uri = uri
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
