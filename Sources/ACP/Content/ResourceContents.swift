import JSONCoding

extension ACP {
    /// Text contents. Schema: `TextResourceContents`.
    public struct TextResourceContents: Object {
        /// The MIME type, for example `text/x-python`.
        @Lenient public var mimeType: String?
        /// The text.
        public var text: String
        /// The URI.
        public var uri: String
        public var otherMembers: OtherMembers

        public init(text: String, uri: String, mimeType: String? = nil, meta: RawJSON? = nil) {
            self.mimeType = mimeType
            self.text = text
            self.uri = uri
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Binary contents. Schema: `BlobResourceContents`.
    public struct BlobResourceContents: Object {
        /// The bytes, in Base64.
        public var blob: String
        /// The MIME type, for example `application/pdf`.
        @Lenient public var mimeType: String?
        /// The URI.
        public var uri: String
        public var otherMembers: OtherMembers

        public init(blob: String, uri: String, mimeType: String? = nil, meta: RawJSON? = nil) {
            self.blob = blob
            self.mimeType = mimeType
            self.uri = uri
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
