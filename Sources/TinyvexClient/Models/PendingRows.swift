import ACP
import JSONCoding

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A permission request that waits for an answer: an element of `permissions:pending`. ``PermissionAnswer`` answers it.
public struct PermissionRow: Codable, Hashable, Sendable, Identifiable {
    /// Sessions of two bridges, and two incarnations of one session, can have requests with the same `requestId`.
    public struct ID: Hashable, Sendable {
        public let bridge: String?
        public let agent: String
        public let sessionId: ACPSessionId
        public let journal: String
        public let requestId: RawJSON
    }

    public var sessionId: ACPSessionId
    public var agent: String
    /// Empty while the session is not stored yet.
    public var journal: String
    /// The agent's id of the request: a number or a string.
    public var requestId: RawJSON
    public var askedTs: Date
    /// The params of `session/request_permission` as the agent wrote them, or shortened, with `omittedBytes`.
    public var params: RawJSON
    /// The bridge that has the session; nil for the bridge that answers.
    public var bridge: String?
    /// The `cursor` of the next page, in the last element of a page.
    public var nextCursor: String?

    public var id: ID {
        ID(bridge: bridge, agent: agent, sessionId: sessionId, journal: journal, requestId: requestId)
    }
}

extension PermissionRow {
    /// The members of the params that both versions of ACP have, and those of a tool call in either version.
    private struct Question: Decodable {
        struct Call: Decodable {
            var title: String?
            var kind: ACP.ToolKind?
        }

        struct Subject: Decodable {
            var toolCall: Call?
        }

        var title: String?
        var toolCall: Call?
        var subject: Subject?
        var options: [ACP.PermissionOption]?
    }

    private var question: Question? { try? params.decode(as: Question.self) }

    /// The answers to choose from; empty if the agent wrote them in an unknown form.
    public var options: [ACP.PermissionOption] { question?.options ?? [] }

    /// The agent's question, or the title of the tool call; nil if the agent wrote none, or if the params were shortened.
    public var title: String? { question.flatMap { $0.title ?? ($0.toolCall ?? $0.subject?.toolCall)?.title } }

    /// The kind of the tool call; nil like ``title``.
    public var toolKind: ACP.ToolKind? { question.flatMap { ($0.toolCall ?? $0.subject?.toolCall)?.kind } }
}

/// An elicitation that waits for an answer: an element of `elicitations:pending`. ``ElicitationAnswer`` answers it.
public struct ElicitationRow: Codable, Hashable, Sendable, Identifiable {
    /// Identifies the elicitation as ``PermissionRow/ID`` identifies a permission request.
    public struct ID: Hashable, Sendable {
        public let bridge: String?
        public let agent: String
        public let sessionId: ACPSessionId?
        public let journal: String?
        public let pid: Int?
        public let requestId: RawJSON
    }

    /// Nil for an elicitation about a request of the client, such as a login.
    public var sessionId: ACPSessionId?
    public var agent: String
    /// Empty while the session is not stored yet; nil without a session.
    public var journal: String?
    /// The process id of the agent; nil with a session.
    public var pid: Int?
    /// The agent's id of the request: a number or a string.
    public var requestId: RawJSON
    public var createdTs: Date
    /// `form`, `url`, or another mode of a newer agent.
    public var mode: RawJSON?
    /// A text of the agent, or its first 1,000 characters.
    public var message: RawJSON?
    /// The JSON Schema of the form.
    public var requestedSchema: RawJSON?
    /// The address of the page to open.
    public var url: RawJSON?
    public var elicitationId: RawJSON?
    public var toolCallId: RawJSON?
    /// The size of the params, if they were shortened.
    public var omittedBytes: Int?
    /// The bridge that has the session; nil for the bridge that answers.
    public var bridge: String?
    /// The `cursor` of the next page, in the last element of a page.
    public var nextCursor: String?

    public var id: ID {
        ID(
            bridge: bridge, agent: agent, sessionId: sessionId, journal: journal, pid: pid, requestId: requestId)
    }
}
