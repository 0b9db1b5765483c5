import ACPBase
import JSONCoding

extension ACP {
    /// Unstable. The context of a request for a next edit. Schema: `NesSuggestContext`.
    public struct NesSuggestContext: Object {
        /// Recently opened files.
        public var recentFiles: [NesRecentFile]?
        /// Related code.
        public var relatedSnippets: [NesRelatedSnippet]?
        /// Recent edits.
        public var editHistory: [NesEditHistoryEntry]?
        /// Recent user actions.
        public var userActions: [NesUserAction]?
        /// The open files.
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

    /// Unstable. A recently opened file. Schema: `NesRecentFile`.
    public struct NesRecentFile: Object {
        /// The URI.
        public var uri: String
        /// The language id, for example `swift`.
        public var languageId: String
        /// The whole text of the document.
        public var text: String
        public var otherMembers: OtherMembers

        public init(uri: String, languageId: String, text: String, meta: RawJSON? = nil) {
            self.uri = uri
            self.languageId = languageId
            self.text = text
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. Related code in another file. Schema: `NesRelatedSnippet`.
    public struct NesRelatedSnippet: Object {
        /// The URI of the file.
        public var uri: String
        /// The excerpts of code.
        public var excerpts: [NesExcerpt]
        public var otherMembers: OtherMembers

        public init(uri: String, excerpts: [NesExcerpt], meta: RawJSON? = nil) {
            self.uri = uri
            self.excerpts = excerpts
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. An excerpt of a file. Schema: `NesExcerpt`.
    public struct NesExcerpt: Object {
        /// The first line, from 0.
        public var startLine: UInt32
        /// The last line, from 0.
        public var endLine: UInt32
        /// The text of the lines.
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
        /// The URI of the file.
        public var uri: String
        /// The change, as a diff.
        public var diff: String
        public var otherMembers: OtherMembers

        public init(uri: String, diff: String, meta: RawJSON? = nil) {
            self.uri = uri
            self.diff = diff
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. An action of the user. Schema: `NesUserAction`.
    public struct NesUserAction: Object {
        /// The kind of action, for example `insertChar`.
        public var action: String
        /// The URI of the file.
        public var uri: String
        /// The position in the file.
        public var position: Position
        /// The time of the action, in milliseconds since 1970.
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

    /// Unstable. An open file. Schema: `NesOpenFile`.
    public struct NesOpenFile: Object {
        /// The URI.
        public var uri: String
        /// The language id, for example `swift`.
        public var languageId: String
        /// The range that is visible in the editor.
        @Lenient public var visibleRange: Range?
        /// The time at which the file last had the focus, in milliseconds since 1970.
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
        /// The URI of the file.
        public var uri: String
        /// The range in the file.
        public var range: Range
        /// The severity.
        public var severity: NesDiagnosticSeverity
        /// The message to show.
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

    /// Unstable. The severity of a diagnostic. Schema: `NesDiagnosticSeverity`.
    public struct NesDiagnosticSeverity: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The code does not work.
        public static let error = Self(rawValue: "error")
        /// The code possibly does not work.
        public static let warning = Self(rawValue: "warning")
        /// Information that needs no action.
        public static let information = Self(rawValue: "information")
        /// A possible improvement.
        public static let hint = Self(rawValue: "hint")

        public static let allCases = [error, warning, information, hint]
    }
}
