import Access
import Agents
import EventLoop
import Functions
import JSONRPC
import JSONScan
import SessionRecords
import SessionStreams
import Tinyvex

/// Kept agents: they run without an editor, and a client can take them over.
extension ClientTable {
    /// Returns the agents without an editor that match the client's address and tenant.
    func keptRuns(like address: RemoteClientAddress, for identity: Identity) -> [AgentRun] {
        agents.runs.filter { run in
            guard mayBeTaken(run), run.sessions?.initializeResult != nil, run.tenant == identity.tenant else {
                return false
            }
            return address.launch.map { isSame(run, $0) } ?? (run.name == address.namedAgent)
        }
    }

    /// Returns whether the agent has no editor, or has one that lost its connection and has not reconnected yet.
    func mayBeTaken(_ run: AgentRun) -> Bool { run.isKept || absentOwner(of: run) != nil }

    /// Returns the client that owns this agent if that client is disconnected; otherwise nil.
    func absentOwner(of run: AgentRun) -> ResumableConnection? {
        guard !run.isEnding, let primary = run.sessions?.router.primary else { return nil }
        return (run.remoteClients[primary] as? RemoteClient).flatMap {
            resumableConnections.absentOwner(of: $0.connection.id)
        }
    }

    /// Returns the kept agents that a stdio shim with this request can take over.
    func offer(for request: LaunchRequest) -> EditorChoice.Offer {
        let address = RemoteClientAddress(launch: request)
        let runs = keptRuns(like: address, for: .localUser(user))
        guard let version = runs.first?.protocolVersion else { return EditorChoice.Offer() }
        let sessions = runs.filter { $0.protocolVersion == version }
            .flatMap { $0.sessions?.sessions.values.filter(\.isLive).map(\.id) ?? [] }
        return EditorChoice.Offer(version: version, sessions: Set(sessions))
    }

    private func isSame(_ run: AgentRun, _ request: LaunchRequest) -> Bool {
        run.tenant == nil && (request.agent == nil || run.name == AgentPool.name(of: request))
            && run.command == request.command
    }

    /// Returns the sessions of the matching agents, the most recently active first.
    func keptSessions(
        like address: RemoteClientAddress, for identity: Identity
    ) -> [(run: AgentRun, session: Session)] {
        keptRuns(like: address, for: identity)
            .flatMap { run in (run.sessions?.sessions.values.filter(\.isLive) ?? []).map { (run, $0) } }
            .sorted { $0.session.lastTime > $1.session.lastTime }
    }
}

extension ClientTable: ClientHost, ShimHost {
    var audit: AuditLog { services.audit }

    var time: any TimeSource { services.loop.time }

    var timers: any TimerScheduler { services.loop.timers }

    func replaceAbsentOwner(of run: AgentRun, by action: @LoopActor () -> Void) {
        let absent = absentOwner(of: run)
        action()
        absent?.yield()
    }

    func summary(of record: SessionRecord) -> SessionSummary { services.functions.sessions.summary(of: record) }

    func recordAnswer(
        to request: RequestID, _ outcome: JSONValue?, _ session: AuditEvent.SessionName, by identity: Identity
    ) {
        services.functions.agents.recordAnswer(to: request, outcome, session, by: identity)
    }
}
