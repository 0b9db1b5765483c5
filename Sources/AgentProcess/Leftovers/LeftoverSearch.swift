import Glibc

/// Finds processes that agents left behind, and never an unrelated process. Pure.
///
/// An agent's id is also its process group's id, which is not reused while one process of the group lives. So the group
/// still belongs to the agent if one of its processes is known to be from the agent's time: the agent itself, a process
/// that holds one of the agent's pipes, or a process that was started during the bridge's lifetime. Outside the group,
/// processes that hold such a pipe are included. A program that is meant to outlive its agent closes the pipes, as
/// daemons do.
package struct LeftoverSearch {
    private let record: AgentRecord
    private let pipes: (pid_t) -> Set<UInt64>

    /// - Parameter pipes: Returns the inode numbers of the pipes that a process holds.
    package init(_ record: AgentRecord, pipes: @escaping (pid_t) -> Set<UInt64>) {
        self.record = record
        self.pipes = pipes
    }

    package func leftovers(among processes: [ProcessSnapshot]) -> [ProcessSnapshot] {
        guard let earliest = record.agents.map(\.startTicks).min() else { return [] }
        let candidates = processes.filter { $0.startTicks >= earliest }
            .map { Candidate(process: $0, pipes: pipes($0.pid)) }
        var found: Set<pid_t> = []
        for agent in record.agents { found.formUnion(leftovers(of: agent, among: candidates)) }
        return candidates.map(\.process).filter { found.contains($0.pid) }
    }

    private struct Candidate {
        let process: ProcessSnapshot
        let pipes: Set<UInt64>
    }

    private func leftovers(of agent: AgentRecord.Agent, among candidates: [Candidate]) -> [pid_t] {
        let later = candidates.filter { $0.process.startTicks >= agent.startTicks }
        let group = later.filter { $0.process.group == agent.pid }
        let isAgents = group.contains { isOf(agent, $0) } && !group.contains { isStranger(in: $0, to: agent) }
        return later.filter { holds(agent, $0) || isAgents && $0.process.group == agent.pid }.map(\.process.pid)
    }

    private func isOf(_ agent: AgentRecord.Agent, _ candidate: Candidate) -> Bool {
        if candidate.process.pid == agent.pid { return candidate.process.startTicks == agent.startTicks }
        return holds(agent, candidate) || candidate.process.startTicks < record.seenTicks
    }

    /// True if another process is now the leader of the group.
    private func isStranger(in candidate: Candidate, to agent: AgentRecord.Agent) -> Bool {
        candidate.process.pid == agent.pid && candidate.process.startTicks != agent.startTicks
    }

    private func holds(_ agent: AgentRecord.Agent, _ candidate: Candidate) -> Bool {
        !candidate.pipes.isDisjoint(with: agent.pipes)
    }
}
