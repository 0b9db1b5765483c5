/// The `kind` of a value on a session's timeline.
public enum TimelineEntryKind: String, Sendable, CaseIterable {
    /// A complete `session/update`, in the member `notification`. Every other kind has its data in the member
    /// `data`.
    case update
    /// `{"agent":"codex","pid":4711}`
    case agentStart = "agent_start"
    /// The params of `session/prompt`, unchanged.
    case prompt
    /// The agent's result, unchanged, or `{"error":{…}}`. In ACP version 2 a result is `{"messageId":"u1"}`: the prompt is
    /// in the conversation, and its turn ends with the update `state_update`. `{}` ends the turn of an agent that reports
    /// no states.
    case turnEnd = "turn_end"
    /// `{"requestId":5,"params":{…}}`: the id and the unchanged params of the agent's request.
    case permissionRequest = "permission_request"
    /// `{"requestId":5,"result":{…}}`, or `error` instead of `result`.
    case permissionAnswer = "permission_answer"
    /// `{"requestId":5,"params":{…}}`: the id and the unchanged params of the agent's `elicitation/create`.
    case elicitationRequest = "elicitation_request"
    /// `{"requestId":5,"result":{…}}`, or `error` instead of `result`.
    case elicitationAnswer = "elicitation_answer"
    /// The way in which the agent ended: see ``SessionEnd``.
    case agentExit = "agent_exit"

    /// True for an entry that changes the requests that wait for a person.
    package var isOfPendingRequest: Bool {
        switch self {
        case .permissionRequest, .permissionAnswer, .elicitationRequest, .elicitationAnswer: true
        case .update, .agentStart, .prompt, .turnEnd, .agentExit: false
        }
    }
}
