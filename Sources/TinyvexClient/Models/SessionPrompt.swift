import ACP

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The arguments of `sessions:prompt`.
///
///     try await client.action("sessions:prompt", args: SessionPrompt(to: row, [.text("What is this?")]))
public struct SessionPrompt: Encodable, Hashable, Sendable {
    public var sessionId: ACPSessionId
    /// The agent's name, if several agents run a session with this id.
    public var agent: String?
    /// Names the incarnation of the session, also among the sessions of other bridges; see ``PermissionAnswer/journal``.
    public var journal: String?
    public var prompt: [PromptBlock]
    /// During a turn, the prompt waits for the turn's end. Otherwise it fails.
    public var queue: Bool?

    /// - Parameter sessionId: The session's id.
    /// - Parameter prompt: The blocks, in order.
    /// - Parameter queue: See ``queue``.
    /// - Parameter agent: Nil reaches the session of any agent. If several agents or bridges have one with this id, use
    ///   ``init(to:_:queue:)``.
    public init(_ sessionId: ACPSessionId, _ prompt: [PromptBlock], agent: String? = nil, queue: Bool? = nil) {
        self.sessionId = sessionId
        self.agent = agent
        self.prompt = prompt
        self.queue = queue
    }

    /// Prompts this session, also if it is at another bridge.
    public init(to row: SessionRow, _ prompt: [PromptBlock], queue: Bool? = nil) {
        self.init(row.sessionId, prompt, agent: row.agent, queue: queue)
        journal = row.journal.isEmpty ? nil : row.journal
    }
}

/// The arguments of `sessions:unqueue`, which removes a prompt that waits for the end of the turn.
///
///     try await client.action("sessions:unqueue", args: SessionUnqueue(details.queue[0], of: details))
public struct SessionUnqueue: Encodable, Hashable, Sendable {
    public var sessionId: ACPSessionId
    public var agent: String
    /// Names the incarnation of the session; see ``PermissionAnswer/journal``.
    public var journal: String?
    /// The time of the prompt in the queue, in milliseconds since 1970. A `Date` would be written in whole seconds.
    public var queuedTs: Int64

    public init(_ prompt: SessionDetails.QueuedPrompt, of session: SessionDetails) {
        sessionId = session.sessionId
        agent = session.agent
        journal = session.journal.isEmpty ? nil : session.journal
        let milliseconds = (prompt.queuedTs.timeIntervalSince1970 * 1_000).rounded()
        queuedTs = Int64(exactly: milliseconds) ?? .max
    }
}
