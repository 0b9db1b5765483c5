/// The `kind` of a value on a session's timeline.
public enum TimelineKind: String, Sendable, CaseIterable {
    /// A `session/update`, whole, under `notification`; every other kind has its facts under `data`.
    case update
    /// `{"agent":"codex","pid":4711}`
    case agentStart = "agent_start"
    /// The params of `session/prompt` as the editor wrote them.
    case prompt
    /// The agent's result as it wrote it, or `{"error":{…}}`.
    case turnEnd = "turn_end"
    /// `{"requestId":5,"params":{…}}`: the agent's id, and its params as it wrote them.
    case permissionRequest = "permission_request"
    /// `{"requestId":5,"result":{…}}`, or `error` in its place.
    case permissionAnswer = "permission_answer"
    /// How the agent ended: see ``SessionEnd``.
    case agentExit = "agent_exit"
}
