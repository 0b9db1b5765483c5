import JSONCoding

extension ACP {
    /// Unstable. Which kinds of next edits a client can show, besides `edit`. Schema: `ClientNesCapabilities`.
    public struct ClientNesCapabilities: Object {
        /// Present when jumps are shown.
        @Lenient public var jump: NesJumpCapabilities?
        /// Present when renames are shown.
        @Lenient public var rename: NesRenameCapabilities?
        /// Present when replacements are shown.
        @Lenient public var searchAndReplace: NesSearchAndReplaceCapabilities?
        public var otherMembers: OtherMembers

        public init(
            jump: NesJumpCapabilities? = nil, rename: NesRenameCapabilities? = nil,
            searchAndReplace: NesSearchAndReplaceCapabilities? = nil, meta: RawJSON? = nil
        ) {
            self.jump = jump
            self.rename = rename
            self.searchAndReplace = searchAndReplace
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. Present when jumps are shown; it holds nothing yet. Schema: `NesJumpCapabilities`.
    public struct NesJumpCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. Present when renames are shown; it holds nothing yet. Schema: `NesRenameCapabilities`.
    public struct NesRenameCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. Present when replacements are shown; it holds nothing yet. Schema: `NesSearchAndReplaceCapabilities`.
    public struct NesSearchAndReplaceCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
