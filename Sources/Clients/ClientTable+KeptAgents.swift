import Access
import Agents
import EventLoop
import SessionStreams

/// Kept agents: they run without an editor, and a client can take them over.
extension ClientTable {
    /// Returns the agents without an editor that match the client's address and tenant.
    func keptRuns(like address: GuestAddress, for identity: Identity) -> [AgentRun] {
        agents.runs.filter { run in
            guard mayBeTaken(run), run.sessions?.initializeResult != nil, run.tenant == identity.tenant else {
                return false
            }
            return address.launch.map { isSame(run, $0) } ?? (run.name == address.agent)
        }
    }

    /// Returns whether the agent has no editor, or has one that lost its connection and has not reconnected yet.
    func mayBeTaken(_ run: AgentRun) -> Bool { run.isKept || absentOwner(of: run) != nil }

    /// Returns the client that owns this agent if that client is disconnected; otherwise nil.
    func absentOwner(of run: AgentRun) -> GuestRelay? {
        guard !run.isEnding, let primary = run.sessions?.exchange.primary else { return nil }
        return (run.guests[primary] as? GuestLink).flatMap { relays.absentOwner(of: $0.connection) }
    }

    /// Returns whether a stdio shim with this request can take over a running agent.
    func hasKeptRun(like request: LaunchRequest) -> Bool {
        agents.runs.contains { mayBeTaken($0) && $0.sessions?.initializeResult != nil && isSame($0, request) }
    }

    private func isSame(_ run: AgentRun, _ request: LaunchRequest) -> Bool {
        run.tenant == nil && (request.agent == nil || run.name == AgentPool.name(of: request))
            && run.command == request.command
    }

    /// Returns the sessions of the matching agents, the most recently active first.
    func keptSessions(
        like address: GuestAddress, for identity: Identity
    ) -> [(run: AgentRun, session: Session)] {
        keptRuns(like: address, for: identity)
            .flatMap { run in (run.sessions?.sessions.values.filter(\.isLive) ?? []).map { (run, $0) } }
            .sorted { $0.session.lastTime > $1.session.lastTime }
    }
}
