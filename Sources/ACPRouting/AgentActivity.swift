/// The work of one session, for lists.
package struct AgentActivity: Equatable, Sendable {
    /// True while a turn runs that the agent has reported itself. Prompts of version 1 are counted elsewhere.
    package var isInTurn = false
    /// The state that the agent reported last. Nil if it is `idle` or was never reported.
    package var agentState: String?
    /// The number of the session's background items.
    package var backgroundCount = 0
    /// True if the session's work, or that of its children, keeps the agent without an editor.
    package var isBusy = false
    /// How the last turn ended, if not by `end_turn`: ACP's stop reason, or `error` if the agent answered the prompt with
    /// an error.
    package var stopReason: String?
    /// The parent of a child session.
    package var parentId: String?

    package init() {}
}
