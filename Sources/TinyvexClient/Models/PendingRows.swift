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

    /// The bridge that has the session; nil for the bridge that answers.
    public var bridge: String?
    public var sessionId: ACPSessionId
    public var agent: String
    /// Empty while the session is not stored yet.
    public var journal: String
    /// The agent's id of the request: a number or a string.
    public var requestId: RawJSON
    public var askedTs: Date
    /// The params of `session/request_permission` as the agent wrote them, or shortened, with `omittedBytes`.
    public var params: RawJSON
    /// The `cursor` of the next page, in the last element of a page.
    public var nextCursor: String?

    public var id: ID { ID(agent: agent, sessionId: sessionId, requestId: requestId) }
}

/// An elicitation that waits for an answer: an element of `elicitations:pending`. `elicitations:answer` answers it.
public struct ElicitationRow: Codable, Hashable, Sendable {
    /// The bridge that has the session; nil for the bridge that answers.
    public var bridge: String?
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
    /// The `cursor` of the next page, in the last element of a page.
    public var nextCursor: String?
}
