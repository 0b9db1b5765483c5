import JSONCoding

extension ACP {
    /// The name and version of a client or an agent: `{"name":"my-editor","title":"My Editor","version":"1.2.0"}`.
    /// Schema: `Implementation`.
    public struct Implementation: Object {
        /// The name for programs; also shown to users when there is no title.
        public var name: String
        /// The name to show to users.
        @Lenient public var title: String?
        /// The version, in any format; for logs.
        public var version: String
        public var otherMembers: OtherMembers

        public init(name: String, version: String, title: String? = nil, meta: RawJSON? = nil) {
            self.name = name
            self.title = title
            self.version = version
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
