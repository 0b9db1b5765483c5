import ACP
import JSONCoding

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The value of `sessions:search`: one page of hits, the newest first.
public struct SearchPage: Codable, Hashable, Sendable {
    /// A page can have fewer hits than the `limit` of the query, or none, and still be followed by others.
    public var data: [SearchRow]
    /// The `cursor` of the next page; nil on the last one.
    public var nextCursor: String?
    /// The state of the index while it is not complete, so hits can be missing; nil if it is complete.
    public var index: BridgeState.Search?
    /// The reason why the sessions of other bridges were not searched; nil if they were, or if there are none.
    public var hubError: String?
}

/// A place in a session where the words of `sessions:search` occur.
public struct SearchRow: Codable, Hashable, Sendable, Identifiable {
    public struct ID: Hashable, Sendable {
        public let journal: String
        public let agent: String
        public let sessionId: ACPSessionId
        public let timelineSeq: Int64
        public let kind: Kind
    }

    /// The author of the text. Unknown values can arrive and keep their text.
    public struct Kind: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A message of the agent.
        public static let message = Self(rawValue: "message")
        public static let thought = Self(rawValue: "thought")
        public static let prompt = Self(rawValue: "prompt")
        /// A message of the user that the agent repeats.
        public static let userMessage = Self(rawValue: "user_message")
        /// The title and the paths of a tool call.
        public static let toolCall = Self(rawValue: "tool_call")
        public static let plan = Self(rawValue: "plan")

        public static let allCases = [message, thought, prompt, userMessage, toolCall, plan]
    }

    public var sessionId: ACPSessionId
    public var agent: String
    /// The name of the session's bridge; nil for a session of the bridge itself.
    public var bridge: String?
    public var journal: String
    /// The session's title; nil if it has none.
    public var title: String?
    public var kind: Kind
    /// The number of the update in which the first match begins, or of the last update before a prompt; 0 if there is
    /// none.
    public var seq: Int64
    /// The number of that update or prompt on the session's timeline.
    public var timelineSeq: Int64
    public var ts: Date
    /// Up to 240 characters of text. The strings at odd positions, counted from 0, match: see ``excerpt``.
    public var snippet: [String]

    public var id: ID {
        ID(journal: journal, agent: agent, sessionId: sessionId, timelineSeq: timelineSeq, kind: kind)
    }

    /// The pieces of the snippet in the order of the text, without empty ones, and whether each matches the query.
    public var excerpt: [(text: String, isMatch: Bool)] {
        snippet.enumerated().filter { !$1.isEmpty }.map { ($1, $0 % 2 == 1) }
    }
}
