import ACPBase
import JSONCoding

extension ACP {
    /// Unstable. The context that an agent wants in each request for an edit. Schema: `NesContextCapabilities`.
    public struct NesContextCapabilities: Object {
        /// Present when the agent wants recently opened files.
        @Lenient public var recentFiles: NesRecentFilesCapabilities?
        /// Present when the agent wants related code.
        @Lenient public var relatedSnippets: NesRelatedSnippetsCapabilities?
        /// Present when the agent wants recent edits.
        @Lenient public var editHistory: NesEditHistoryCapabilities?
        /// Present when the agent wants recent user actions.
        @Lenient public var userActions: NesUserActionsCapabilities?
        /// Present when the agent wants the open files.
        @Lenient public var openFiles: NesOpenFilesCapabilities?
        /// Present when the agent wants errors and warnings.
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

    /// Unstable. Present when the agent wants recently opened files. Schema: `NesRecentFilesCapabilities`.
    public struct NesRecentFilesCapabilities: Object {
        /// The maximum number of entries to send.
        @Lenient public var maxCount: UInt32?
        public var otherMembers: OtherMembers

        public init(maxCount: UInt32? = nil, meta: RawJSON? = nil) {
            self.maxCount = maxCount
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. Present when the agent wants related code; has no members yet. Schema:
    /// `NesRelatedSnippetsCapabilities`.
    public struct NesRelatedSnippetsCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. Present when the agent wants recent edits. Schema: `NesEditHistoryCapabilities`.
    public struct NesEditHistoryCapabilities: Object {
        /// The maximum number of entries to send.
        @Lenient public var maxCount: UInt32?
        public var otherMembers: OtherMembers

        public init(maxCount: UInt32? = nil, meta: RawJSON? = nil) {
            self.maxCount = maxCount
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. Present when the agent wants recent user actions. Schema: `NesUserActionsCapabilities`.
    public struct NesUserActionsCapabilities: Object {
        /// The maximum number of entries to send.
        @Lenient public var maxCount: UInt32?
        public var otherMembers: OtherMembers

        public init(maxCount: UInt32? = nil, meta: RawJSON? = nil) {
            self.maxCount = maxCount
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. Present when the agent wants the open files; has no members yet. Schema:
    /// `NesOpenFilesCapabilities`.
    public struct NesOpenFilesCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. Present when the agent wants errors and warnings; has no members yet. Schema:
    /// `NesDiagnosticsCapabilities`.
    public struct NesDiagnosticsCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
