import Agents
import Diagnostics
import EventLoop
import Glibc
import SessionStreams

/// Logs the starts and ends of agents and sessions. It compares the bridge's agents and sessions with those at the
/// previous change.
@LoopActor final class LifecycleLog {
    private var agents: [pid_t: AgentRun] = [:]
    private var sessions: Set<ObjectIdentifier> = []
    private let log: DiagnosticLog

    init(_ log: DiagnosticLog = .daemon) { self.log = log }

    /// Records agents that an earlier program has started. Their starts are not logged again.
    func adopt(_ runs: [AgentRun]) {
        for run in runs { agents[run.pid] = run }
    }

    /// Returns the agents that have started since the previous change.
    @discardableResult
    func changed(_ runs: [AgentRun]) -> [AgentRun] {
        let now = Set(runs.map(\.pid))
        let started = runs.filter { agents[$0.pid] == nil }
        for run in started {
            log.record(.agentStarted(agent: run.name, pid: run.pid))
            agents[run.pid] = run
        }
        for run in agents.values where !now.contains(run.pid) {
            log.record(.agentEnded(agent: run.name, pid: run.pid, Self.end(of: run)))
            agents[run.pid] = nil
        }
        return started
    }

    private static func end(of run: AgentRun) -> DiagnosticEvent.AgentEnd? {
        switch run.exit {
        case .exited(let code): .exited(code: code)
        case .signaled(let signal): .signaled(signal: signal)
        case nil: nil
        }
    }

    func changed(_ session: Session) {
        let id = ObjectIdentifier(session)
        if session.isComplete {
            guard sessions.remove(id) != nil else { return }
            log.record(.sessionEnded(agent: session.agent, sessionId: session.id))
        } else if session.isLive, session.sid != nil, sessions.insert(id).inserted {
            log.record(.sessionClaimed(agent: session.agent, sessionId: session.id))
        }
    }
}
