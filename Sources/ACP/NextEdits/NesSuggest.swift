import JSONCoding

extension ACP.Agent {
    /// Unstable. Asks what the user may want to edit next. Schema: `SuggestNesRequest`.
    public struct NesSuggestRequest: ACP.Request {
        public typealias Response = NesSuggestResponse
        public static let method = "nes/suggest"

        /// From `nes/start`.
        public var sessionId: ACP.SessionId
        /// The document at hand.
        public var uri: String
        /// Its version.
        public var version: Int64
        /// Where the cursor is.
        public var position: ACP.Position
        /// What is selected.
        public var selection: ACP.Range?
        /// Why it is asked.
        public var triggerKind: ACP.NesTriggerKind
        /// What the agent wants to know.
        public var context: ACP.NesSuggestContext?
        public var otherMembers: OtherMembers

        public init(
            sessionId: ACP.SessionId, uri: String, version: Int64, position: ACP.Position,
            triggerKind: ACP.NesTriggerKind, selection: ACP.Range? = nil, context: ACP.NesSuggestContext? = nil,
            meta: RawJSON? = nil
        ) {
            self.sessionId = sessionId
            self.uri = uri
            self.version = version
            self.position = position
            self.selection = selection
            self.triggerKind = triggerKind
            self.context = context
            otherMembers = OtherMembers(meta: meta)
        }
    }
}

extension ACP.Agent {
    /// Unstable. What the user may want to do. Schema: `SuggestNesResponse`.
    public struct NesSuggestResponse: ACP.Object {
        /// The best first; may be empty.
        public var suggestions: [ACP.NesSuggestion]
        public var otherMembers: OtherMembers

        public init(suggestions: [ACP.NesSuggestion], meta: RawJSON? = nil) {
            self.suggestions = suggestions
            otherMembers = OtherMembers(meta: meta)
        }
    }
}

extension ACP {
    /// Unstable. Why a next edit is asked for. Schema: `NesTriggerKind`.
    public struct NesTriggerKind: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The user typed, or moved the cursor.
        public static let automatic = Self(rawValue: "automatic")
        /// An error or a warning came up near the cursor.
        public static let diagnostic = Self(rawValue: "diagnostic")
        /// The user wants one.
        public static let manual = Self(rawValue: "manual")

        public static let allCases = [automatic, diagnostic, manual]
    }
}
