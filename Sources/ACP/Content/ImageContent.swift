import JSONCoding

extension ACP {
    /// An image. Schema: `ImageContent`.
    public struct ImageContent: Object {
        /// The audience and the importance of the content.
        @Lenient public var annotations: Annotations?
        /// The bytes, in Base64.
        public var data: String
        /// The MIME type, for example `image/png`.
        public var mimeType: String
        /// The URI of the image's source.
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
