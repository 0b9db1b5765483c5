import JSONCoding

extension ACP {
    /// Unstable. The kinds of next edits, besides `edit`, that a client can show. Schema: `ClientNesCapabilities`.
    public struct ClientNesCapabilities: Object {
        /// Present when the client can show jumps.
        @Lenient public var jump: NesJumpCapabilities?
        /// Present when the client can show renames.
        @Lenient public var rename: NesRenameCapabilities?
        /// Present when the client can show replacements.
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

    /// Unstable. Present when the client can show jumps; has no members yet. Schema: `NesJumpCapabilities`.
    public struct NesJumpCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. Present when the client can show renames; has no members yet. Schema: `NesRenameCapabilities`.
    public struct NesRenameCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. Present when the client can show replacements; has no members yet. Schema:
    /// `NesSearchAndReplaceCapabilities`.
    public struct NesSearchAndReplaceCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
