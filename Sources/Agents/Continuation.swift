/// A request to an agent to continue an earlier session, which the agent has not answered.
struct Continuation: Codable {
    let cwd: String?
    /// True if the agent repeats the session's history before its answer.
    let replays: Bool
}
