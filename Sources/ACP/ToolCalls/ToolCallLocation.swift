import JSONCoding

extension ACP {
    /// A location that a tool works on. Schema: `ToolCallLocation`.
    public struct ToolCallLocation: Object {
        /// The absolute path of the file.
        public var path: String
        /// The line, from 1.
        @Lenient public var line: UInt32?
        public var otherMembers: OtherMembers

        public init(path: String, line: UInt32? = nil, meta: RawJSON? = nil) {
            self.path = path
            self.line = line
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
