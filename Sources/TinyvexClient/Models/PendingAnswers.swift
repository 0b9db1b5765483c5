import ACP
import JSONCoding

/// The arguments of `permissions:answer`. The first valid answer to a request counts.
///
///     try await client.mutation("permissions:answer", args: PermissionAnswer(to: row, optionId: option.optionId))
public struct PermissionAnswer: Encodable, Hashable, Sendable {
    public var sessionId: ACPSessionId
    public var agent: String
    /// Names the incarnation of the session, also among the sessions of other bridges. Without it, the answer can reach a
    /// session of the same id at another bridge. Nil while the session is not stored yet.
    public var journal: String?
    public var requestId: RawJSON
    public var outcome: ACP.RequestPermissionOutcome

    /// Chooses one of ``PermissionRow/options``.
    public init(to row: PermissionRow, optionId: ACP.PermissionOptionId) {
        self.init(to: row, .selected(.init(optionId: optionId)))
    }

    public init(to row: PermissionRow, _ outcome: ACP.RequestPermissionOutcome) {
        sessionId = row.sessionId
        agent = row.agent
        journal = row.journal.isEmpty ? nil : row.journal
        requestId = row.requestId
        self.outcome = outcome
    }
}

/// The arguments of `elicitations:answer`. The first valid answer to an elicitation counts.
///
///     try await client.mutation("elicitations:answer", args: ElicitationAnswer(to: row, .accept, content: ["branch": .string("main")]))
public struct ElicitationAnswer: Encodable, Hashable, Sendable {
    /// Nil with a `pid`, as the agent and the journal.
    public var sessionId: ACPSessionId?
    public var agent: String?
    /// Names the incarnation of the session; see ``PermissionAnswer/journal``.
    public var journal: String?
    /// The agent's process id, for an elicitation without a session.
    public var pid: Int?
    public var requestId: RawJSON
    public var action: ACP.ElicitationAction
    /// The fields of the form, with `accept`.
    public var content: [String: ACP.ElicitationContentValue]?

    public init(
        to row: ElicitationRow, _ action: ACP.ElicitationAction,
        content: [String: ACP.ElicitationContentValue]? = nil
    ) {
        if let sessionId = row.sessionId {
            self.sessionId = sessionId
            agent = row.agent
            journal = row.journal?.isEmpty == false ? row.journal : nil
        } else {
            pid = row.pid
        }
        requestId = row.requestId
        self.action = action
        self.content = content
    }
}
