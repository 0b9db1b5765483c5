import JSONCoding

extension ACP {
    /// Unstable. What an agent wants to know for a next edit. Schema: `NesSuggestContext`.
    public struct NesSuggestContext: Object {
        /// Files that were open a moment ago.
        public var recentFiles: [NesRecentFile]?
        /// Code that has to do with it.
        public var relatedSnippets: [NesRelatedSnippet]?
        /// What was edited.
        public var editHistory: [NesEditHistoryEntry]?
        /// What the user did.
        public var userActions: [NesUserAction]?
        /// Files that are open.
        public var openFiles: [NesOpenFile]?
        /// Errors and warnings.
        public var diagnostics: [NesDiagnostic]?
        public var otherMembers: OtherMembers

        public init(
            recentFiles: [NesRecentFile]? = nil, relatedSnippets: [NesRelatedSnippet]? = nil,
            editHistory: [NesEditHistoryEntry]? = nil, userActions: [NesUserAction]? = nil,
            openFiles: [NesOpenFile]? = nil, diagnostics: [NesDiagnostic]? = nil, meta: RawJSON? = nil
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

    /// Unstable. A file that was open a moment ago. Schema: `NesRecentFile`.
    public struct NesRecentFile: Object {
        /// Its address.
        public var uri: String
        /// Its language: `swift`.
        public var languageId: String
        /// All it holds.
        public var text: String
        public var otherMembers: OtherMembers

        public init(uri: String, languageId: String, text: String, meta: RawJSON? = nil) {
            self.uri = uri
            self.languageId = languageId
            self.text = text
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. Code of another file that has to do with it. Schema: `NesRelatedSnippet`.
    public struct NesRelatedSnippet: Object {
        /// The file.
        public var uri: String
        /// The code.
        public var excerpts: [NesExcerpt]
        public var otherMembers: OtherMembers

        public init(uri: String, excerpts: [NesExcerpt], meta: RawJSON? = nil) {
            self.uri = uri
            self.excerpts = excerpts
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. Some lines of a file. Schema: `NesExcerpt`.
    public struct NesExcerpt: Object {
        /// The first, from 0.
        public var startLine: UInt32
        /// The last, from 0.
        public var endLine: UInt32
        /// The lines.
        public var text: String
        public var otherMembers: OtherMembers

        public init(startLine: UInt32, endLine: UInt32, text: String, meta: RawJSON? = nil) {
            self.startLine = startLine
            self.endLine = endLine
            self.text = text
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. An edit. Schema: `NesEditHistoryEntry`.
    public struct NesEditHistoryEntry: Object {
        /// The file.
        public var uri: String
        /// What changed.
        public var diff: String
        public var otherMembers: OtherMembers

        public init(uri: String, diff: String, meta: RawJSON? = nil) {
            self.uri = uri
            self.diff = diff
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. Something the user did. Schema: `NesUserAction`.
    public struct NesUserAction: Object {
        /// `insertChar` for example.
        public var action: String
        /// The file.
        public var uri: String
        /// Where in it.
        public var position: Position
        /// When, in milliseconds since 1970.
        public var timestampMs: UInt64
        public var otherMembers: OtherMembers

        public init(action: String, uri: String, position: Position, timestampMs: UInt64, meta: RawJSON? = nil) {
            self.action = action
            self.uri = uri
            self.position = position
            self.timestampMs = timestampMs
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. A file that is open. Schema: `NesOpenFile`.
    public struct NesOpenFile: Object {
        /// Its address.
        public var uri: String
        /// Its language: `swift`.
        public var languageId: String
        /// What is to be seen of it.
        @Lenient public var visibleRange: Range?
        /// When it was last in front, in milliseconds since 1970.
        @Lenient public var lastFocusedMs: UInt64?
        public var otherMembers: OtherMembers

        public init(
            uri: String, languageId: String, visibleRange: Range? = nil, lastFocusedMs: UInt64? = nil,
            meta: RawJSON? = nil
        ) {
            self.uri = uri
            self.languageId = languageId
            self.visibleRange = visibleRange
            self.lastFocusedMs = lastFocusedMs
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. An error or a warning. Schema: `NesDiagnostic`.
    public struct NesDiagnostic: Object {
        /// The file.
        public var uri: String
        /// Where in it.
        public var range: Range
        /// How bad it is.
        public var severity: NesDiagnosticSeverity
        /// What is wrong.
        public var message: String
        public var otherMembers: OtherMembers

        public init(uri: String, range: Range, severity: NesDiagnosticSeverity, message: String, meta: RawJSON? = nil) {
            self.uri = uri
            self.range = range
            self.severity = severity
            self.message = message
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. How bad something is. Schema: `NesDiagnosticSeverity`.
    public struct NesDiagnosticSeverity: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// It does not work.
        public static let error = Self(rawValue: "error")
        /// It may not work.
        public static let warning = Self(rawValue: "warning")
        /// Good to know.
        public static let information = Self(rawValue: "information")
        /// Could be better.
        public static let hint = Self(rawValue: "hint")

        public static let allCases = [error, warning, information, hint]
    }
}
