import ACP
import JSONCoding

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A permission request that waits for an answer: an element of `permissions:pending`. `permissions:answer` answers it.
public struct PermissionRow: Codable, Hashable, Sendable, Identifiable {
    public struct ID: Hashable, Sendable {
        public let agent: String
        public let sessionId: ACPSessionId
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

    public var id: ID { ID(agent: agent, sessionId: sessionId, requestId: requestId) }
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

/// The arguments of `permissions:answer`. The first valid answer to a request counts.
///
///     try await client.mutation("permissions:answer", args: PermissionAnswer(to: row, optionId: option.optionId))
public struct PermissionAnswer: Encodable, Hashable, Sendable {
    public var sessionId: ACPSessionId
    public var agent: String
    public var requestId: RawJSON
    public var outcome: ACP.RequestPermissionOutcome

    /// Chooses one of ``PermissionRow/options``.
    public init(to row: PermissionRow, optionId: ACP.PermissionOptionId) {
        self.init(to: row, .selected(.init(optionId: optionId)))
    }

    public init(to row: PermissionRow, _ outcome: ACP.RequestPermissionOutcome) {
        sessionId = row.sessionId
        agent = row.agent
        requestId = row.requestId
        self.outcome = outcome
    }
}

/// An elicitation that waits for an answer: an element of `elicitations:pending`. `elicitations:answer` answers it.
public struct ElicitationRow: Codable, Hashable, Sendable {
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
}
