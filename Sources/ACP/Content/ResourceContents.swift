import JSONCoding

extension ACP {
    /// Contents that are text. Schema: `TextResourceContents`.
    public struct TextResourceContents: Object {
        /// `text/x-python` for example.
        @Lenient public var mimeType: String?
        /// The text itself.
        public var text: String
        /// The address.
        public var uri: String
        public var otherMembers: OtherMembers

        public init(text: String, uri: String, mimeType: String? = nil, meta: RawJSON? = nil) {
            self.mimeType = mimeType
            self.text = text
            self.uri = uri
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Contents that are bytes. Schema: `BlobResourceContents`.
    public struct BlobResourceContents: Object {
        /// The bytes, in Base64.
        public var blob: String
        /// `application/pdf` for example.
        @Lenient public var mimeType: String?
        /// The address.
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
