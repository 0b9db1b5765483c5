/// A request to an agent to continue an earlier session, which the agent has not answered.
struct Continuation: Codable {
    let cwd: String?
    /// True if the agent repeats the session's history before its answer.
    let replays: Bool
}

/// The sessions that an agent was asked to continue and has not accepted yet.
struct Continuations {
    /// The agent has written nothing of these sessions.
    var waiting: [String: Continuation] = [:]
    /// The agent has written updates of these sessions.
    var entered: Set<String> = []
}
