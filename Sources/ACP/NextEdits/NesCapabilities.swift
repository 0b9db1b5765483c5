import JSONCoding

extension ACP {
    /// Unstable. What an agent wants to know for its next edits. Schema: `NesCapabilities`.
    public struct NesCapabilities: Object {
        /// The editor's events that it wants.
        @Lenient public var events: NesEventCapabilities?
        /// What a request for an edit should carry.
        @Lenient public var context: NesContextCapabilities?
        public var otherMembers: OtherMembers

        public init(events: NesEventCapabilities? = nil, context: NesContextCapabilities? = nil, meta: RawJSON? = nil) {
            self.events = events
            self.context = context
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. The editor's events that an agent wants. Schema: `NesEventCapabilities`.
    public struct NesEventCapabilities: Object {
        /// Those of documents.
        @Lenient public var document: NesDocumentEventCapabilities?
        public var otherMembers: OtherMembers

        public init(document: NesDocumentEventCapabilities? = nil, meta: RawJSON? = nil) {
            self.document = document
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. The events of documents that an agent wants. Schema: `NesDocumentEventCapabilities`.
    public struct NesDocumentEventCapabilities: Object {
        /// Present when `document/didOpen` is wanted.
        @Lenient public var didOpen: NesDocumentDidOpenCapabilities?
        /// Present when `document/didChange` is wanted.
        @Lenient public var didChange: NesDocumentDidChangeCapabilities?
        /// Present when `document/didClose` is wanted.
        @Lenient public var didClose: NesDocumentDidCloseCapabilities?
        /// Present when `document/didSave` is wanted.
        @Lenient public var didSave: NesDocumentDidSaveCapabilities?
        /// Present when `document/didFocus` is wanted.
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

    /// Unstable. Present when `document/didOpen` is wanted; it holds nothing yet. Schema:
    /// `NesDocumentDidOpenCapabilities`.
    public struct NesDocumentDidOpenCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. Present when `document/didChange` is wanted. Schema: `NesDocumentDidChangeCapabilities`.
    public struct NesDocumentDidChangeCapabilities: Object {
        /// How changes are to be told.
        public var syncKind: TextDocumentSyncKind
        public var otherMembers: OtherMembers

        public init(syncKind: TextDocumentSyncKind, meta: RawJSON? = nil) {
            self.syncKind = syncKind
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. Present when `document/didClose` is wanted; it holds nothing yet. Schema:
    /// `NesDocumentDidCloseCapabilities`.
    public struct NesDocumentDidCloseCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. Present when `document/didSave` is wanted; it holds nothing yet. Schema:
    /// `NesDocumentDidSaveCapabilities`.
    public struct NesDocumentDidSaveCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. Present when `document/didFocus` is wanted; it holds nothing yet. Schema:
    /// `NesDocumentDidFocusCapabilities`.
    public struct NesDocumentDidFocusCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
