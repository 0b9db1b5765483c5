import JSONCoding

extension ACP {
    /// A file or another resource that has a URI and that the agent can read by itself. Schema: `ResourceLink`.
    public struct ResourceLink: Object {
        /// The audience and the importance of the content.
        @Lenient public var annotations: Annotations?
        /// A longer description to show to the user.
        @Lenient public var description: String?
        /// The MIME type of the resource.
        @Lenient public var mimeType: String?
        /// The name of the resource, for example a file name.
        public var name: String
        /// The size in bytes.
        @Lenient public var size: Int64?
        /// The title to show to the user in preference to `name`.
        @Lenient public var title: String?
        /// The URI: `file:///home/user/notes.md`.
        public var uri: String
        public var otherMembers: OtherMembers

        public init(
            name: String, uri: String, annotations: Annotations? = nil, description: String? = nil,
            mimeType: String? = nil, size: Int64? = nil, title: String? = nil, meta: RawJSON? = nil
        ) {
            self.annotations = annotations
            self.description = description
            self.mimeType = mimeType
            self.name = name
            self.size = size
            self.title = title
            self.uri = uri
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
