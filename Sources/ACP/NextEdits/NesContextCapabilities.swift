import JSONCoding

extension ACP {
    /// Unstable. What a request for an edit should carry. Schema: `NesContextCapabilities`.
    public struct NesContextCapabilities: Object {
        /// Present when recent files are wanted.
        @Lenient public var recentFiles: NesRecentFilesCapabilities?
        /// Present when related code is wanted.
        @Lenient public var relatedSnippets: NesRelatedSnippetsCapabilities?
        /// Present when recent edits are wanted.
        @Lenient public var editHistory: NesEditHistoryCapabilities?
        /// Present when recent actions are wanted.
        @Lenient public var userActions: NesUserActionsCapabilities?
        /// Present when the open files are wanted.
        @Lenient public var openFiles: NesOpenFilesCapabilities?
        /// Present when errors and warnings are wanted.
        @Lenient public var diagnostics: NesDiagnosticsCapabilities?
        public var otherMembers: OtherMembers

        public init(
            recentFiles: NesRecentFilesCapabilities? = nil, relatedSnippets: NesRelatedSnippetsCapabilities? = nil,
            editHistory: NesEditHistoryCapabilities? = nil, userActions: NesUserActionsCapabilities? = nil,
            openFiles: NesOpenFilesCapabilities? = nil, diagnostics: NesDiagnosticsCapabilities? = nil,
            meta: RawJSON? = nil
        ) {
            self.recentFiles = recentFiles
            self.relatedSnippets = relatedSnippets
            self.editHistory = editHistory
            self.userActions = userActions
            self.openFiles = openFiles
            self.diagnostics = diagnostics
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. Present when recent files are wanted. Schema: `NesRecentFilesCapabilities`.
    public struct NesRecentFilesCapabilities: Object {
        /// How many at most.
        @Lenient public var maxCount: UInt32?
        public var otherMembers: OtherMembers

        public init(maxCount: UInt32? = nil, meta: RawJSON? = nil) {
            self.maxCount = maxCount
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. Present when related code is wanted; it holds nothing yet. Schema: `NesRelatedSnippetsCapabilities`.
    public struct NesRelatedSnippetsCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. Present when recent edits are wanted. Schema: `NesEditHistoryCapabilities`.
    public struct NesEditHistoryCapabilities: Object {
        /// How many at most.
        @Lenient public var maxCount: UInt32?
        public var otherMembers: OtherMembers

        public init(maxCount: UInt32? = nil, meta: RawJSON? = nil) {
            self.maxCount = maxCount
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. Present when recent actions are wanted. Schema: `NesUserActionsCapabilities`.
    public struct NesUserActionsCapabilities: Object {
        /// How many at most.
        @Lenient public var maxCount: UInt32?
        public var otherMembers: OtherMembers

        public init(maxCount: UInt32? = nil, meta: RawJSON? = nil) {
            self.maxCount = maxCount
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. Present when the open files are wanted; it holds nothing yet. Schema: `NesOpenFilesCapabilities`.
    public struct NesOpenFilesCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. Present when errors and warnings are wanted; it holds nothing yet. Schema:
    /// `NesDiagnosticsCapabilities`.
    public struct NesDiagnosticsCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
