import JSONCoding

extension ACP {
    /// A file, or whatever else has an address, that the agent can read itself. Schema: `ResourceLink`.
    public struct ResourceLink: Object {
        /// For whom it is, and how important.
        @Lenient public var annotations: Annotations?
        /// More, for the user.
        @Lenient public var description: String?
        /// The kind of what is linked.
        @Lenient public var mimeType: String?
        /// A file's name for example.
        public var name: String
        /// In bytes.
        @Lenient public var size: Int64?
        /// For the user, before `name`.
        @Lenient public var title: String?
        /// The address: `file:///home/user/notes.md`.
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
