import ACPBase
import JSONCoding

extension ACP {
    /// Unstable. The information that an agent needs to suggest next edits. Schema: `NesCapabilities`.
    public struct NesCapabilities: Object {
        /// The editor events that the agent wants to receive.
        @Lenient public var events: NesEventCapabilities?
        /// The context that the agent wants in each request for an edit.
        @Lenient public var context: NesContextCapabilities?
        public var otherMembers: OtherMembers

        public init(events: NesEventCapabilities? = nil, context: NesContextCapabilities? = nil, meta: RawJSON? = nil) {
            self.events = events
            self.context = context
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. The editor events that an agent wants to receive. Schema: `NesEventCapabilities`.
    public struct NesEventCapabilities: Object {
        /// The document events.
        @Lenient public var document: NesDocumentEventCapabilities?
        public var otherMembers: OtherMembers

        public init(document: NesDocumentEventCapabilities? = nil, meta: RawJSON? = nil) {
            self.document = document
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. The document events that an agent wants to receive. Schema: `NesDocumentEventCapabilities`.
    public struct NesDocumentEventCapabilities: Object {
        /// Present when the agent wants `document/didOpen`.
        @Lenient public var didOpen: NesDocumentDidOpenCapabilities?
        /// Present when the agent wants `document/didChange`.
        @Lenient public var didChange: NesDocumentDidChangeCapabilities?
        /// Present when the agent wants `document/didClose`.
        @Lenient public var didClose: NesDocumentDidCloseCapabilities?
        /// Present when the agent wants `document/didSave`.
        @Lenient public var didSave: NesDocumentDidSaveCapabilities?
        /// Present when the agent wants `document/didFocus`.
        @Lenient public var didFocus: NesDocumentDidFocusCapabilities?
        public var otherMembers: OtherMembers

        public init(
            didOpen: NesDocumentDidOpenCapabilities? = nil, didChange: NesDocumentDidChangeCapabilities? = nil,
            didClose: NesDocumentDidCloseCapabilities? = nil, didSave: NesDocumentDidSaveCapabilities? = nil,
            didFocus: NesDocumentDidFocusCapabilities? = nil, meta: RawJSON? = nil
        ) {
            self.didOpen = didOpen
            self.didChange = didChange
            self.didClose = didClose
            self.didSave = didSave
            self.didFocus = didFocus
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. Present when the agent wants `document/didOpen`; has no members yet. Schema:
    /// `NesDocumentDidOpenCapabilities`.
    public struct NesDocumentDidOpenCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. Present when the agent wants `document/didChange`. Schema: `NesDocumentDidChangeCapabilities`.
    public struct NesDocumentDidChangeCapabilities: Object {
        /// How the editor must report changes.
        public var syncKind: TextDocumentSyncKind
        public var otherMembers: OtherMembers

        public init(syncKind: TextDocumentSyncKind, meta: RawJSON? = nil) {
            self.syncKind = syncKind
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. Present when the agent wants `document/didClose`; has no members yet. Schema:
    /// `NesDocumentDidCloseCapabilities`.
    public struct NesDocumentDidCloseCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. Present when the agent wants `document/didSave`; has no members yet. Schema:
    /// `NesDocumentDidSaveCapabilities`.
    public struct NesDocumentDidSaveCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. Present when the agent wants `document/didFocus`; has no members yet. Schema:
    /// `NesDocumentDidFocusCapabilities`.
    public struct NesDocumentDidFocusCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

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
