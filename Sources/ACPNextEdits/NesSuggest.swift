import ACPBase
import ACPMethods
import JSONCoding

extension ACP.Agent {
    /// Unstable. Requests suggestions for the user's next edit. Schema: `SuggestNesRequest`.
    public struct NesSuggestRequest: ACP.Request {
        public typealias Response = NesSuggestResponse
        public static let method = ACPMethod.nesSuggest.name

        /// The session id that `nes/start` returned.
        public var sessionId: ACP.SessionId
        /// The URI of the current document.
        public var uri: String
        /// The version number of the document.
        public var version: Int64
        /// The position of the cursor.
        public var position: ACP.Position
        /// The selected range.
        public var selection: ACP.Range?
        /// The event that triggered the request.
        public var triggerKind: ACP.NesTriggerKind
        /// The context that the agent asked for in its capabilities.
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

    /// Unstable. The suggested next edits. Schema: `SuggestNesResponse`.
    public struct NesSuggestResponse: ACP.Object {
        /// The suggestions, the best one first; can be empty.
        public var suggestions: [ACP.NesSuggestion]
        public var otherMembers: OtherMembers

        public init(suggestions: [ACP.NesSuggestion], meta: RawJSON? = nil) {
            self.suggestions = suggestions
            otherMembers = OtherMembers(meta: meta)
        }
    }
}

extension ACP {
    /// Unstable. The event that triggered a request for a next edit. Schema: `NesTriggerKind`.
    public struct NesTriggerKind: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The user typed or moved the cursor.
        public static let automatic = Self(rawValue: "automatic")
        /// An error or a warning appeared near the cursor.
        public static let diagnostic = Self(rawValue: "diagnostic")
        /// The user asked for a suggestion.
        public static let manual = Self(rawValue: "manual")

        public static let allCases = [automatic, diagnostic, manual]
    }
}

extension ACP.Agent {
    /// Unstable. The user accepted a suggestion. Schema: `AcceptNesNotification`.
    public struct NesAcceptNotification: ACP.Notification {
        public static let method = ACPMethod.nesAccept.name

        /// The session id that `nes/start` returned.
        public var sessionId: ACP.SessionId
        /// The id of the suggestion.
        public var id: ACP.NesSuggestionId
        public var otherMembers: OtherMembers

        public init(sessionId: ACP.SessionId, id: ACP.NesSuggestionId, meta: RawJSON? = nil) {
            self.sessionId = sessionId
            self.id = id
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. The user did not accept a suggestion. Schema: `RejectNesNotification`.
    public struct NesRejectNotification: ACP.Notification {
        public static let method = ACPMethod.nesReject.name

        /// The session id that `nes/start` returned.
        public var sessionId: ACP.SessionId
        /// The id of the suggestion.
        public var id: ACP.NesSuggestionId
        /// The reason why the suggestion was not accepted.
        @Lenient public var reason: ACP.NesRejectReason?
        public var otherMembers: OtherMembers

        public init(
            sessionId: ACP.SessionId, id: ACP.NesSuggestionId, reason: ACP.NesRejectReason? = nil, meta: RawJSON? = nil
        ) {
            self.sessionId = sessionId
            self.id = id
            self.reason = reason
            otherMembers = OtherMembers(meta: meta)
        }
    }
}

extension ACP {
    /// Unstable. The reason why a suggestion was not accepted. Schema: `NesRejectReason`.
    public struct NesRejectReason: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The user dismissed the suggestion.
        public static let rejected = Self(rawValue: "rejected")
        /// The user continued to edit.
        public static let ignored = Self(rawValue: "ignored")
        /// A newer suggestion replaced it.
        public static let replaced = Self(rawValue: "replaced")
        /// The request was cancelled before it was answered.
        public static let cancelled = Self(rawValue: "cancelled")

        public static let allCases = [rejected, ignored, replaced, cancelled]
    }
}
