import JSONCoding

extension ACP {
    /// A program that speaks the protocol: `{"name":"my-editor","title":"My Editor","version":"1.2.0"}`. Schema:
    /// `Implementation`.
    public struct Implementation: Object {
        /// For programs, and for users where there is no title.
        public var name: String
        /// For users.
        @Lenient public var title: String?
        /// In any form; for logs.
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
