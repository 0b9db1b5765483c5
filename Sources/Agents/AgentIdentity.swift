import AgentProcess
import Glibc

/// The facts about one running agent that never change.
struct AgentIdentity {
    /// The agent's name in lists.
    let name: String
    /// The tenant that owns the agent, on a bridge that several tenants share.
    let tenant: String?
    let command: [SystemString]
    /// The entry in the agents' file, with which a later bridge finds this agent's leftover processes.
    let record: AgentRecord.Agent
    /// Milliseconds since 1970.
    let startedAt: Int64

    var pid: pid_t { record.pid }
}
