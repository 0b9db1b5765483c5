import AgentProcess
import EventLoop
import Glibc
import SessionLog
import Tinyvex

/// Why a client cannot have the agent it names: a sentence for the person who asked.
public struct AgentUnavailable: Error, Sendable {
    public let message: String

    public init(_ message: String) { self.message = message }
}

/// Agents that clients ask for by name, and those that run.
extension Bridge {
    /// Starts an agent whose only clients are guests.
    ///
    /// - Parameter launch: of a front on this machine that has said what to run.
    func startAgent(
        _ name: String?, launch: LaunchRequest?, for identity: Identity
    ) throws(Rejection) -> AgentRun {
        guard runs.count < configuration.limits.agents else {
            throw Rejection(.limitExceeded, "the bridge runs \(runs.count) agents, which is the limit")
        }
        let request = if let launch { launch } else { try profile(name) }
        do throws(SpawnError) {
            let run = try startForGuests(request, identity.tenant)
            audit.record(.agentStarted(agent: run.name, pid: run.pid), by: identity)
            return run
        } catch {
            throw Rejection(.agentUnavailable, error.description, rpcCode: .internalError)
        }
    }

    private func startForGuests(_ request: LaunchRequest, _ tenant: String?) throws(SpawnError) -> AgentRun {
        let run = try launch(request, tenant: tenant) { _ in }
        do throws(SystemError) {
            try run.startForGuests()
            return run
        } catch {
            run.giveUp()
            throw .failed(program: run.name, reason: "\(error)")
        }
    }

    private func profile(_ name: String?) throws(Rejection) -> LaunchRequest {
        guard let name else {
            throw Rejection(.agentUnavailable, "name an agent: ?agent=NAME; `acpbridge agents` lists them")
        }
        do throws(AgentUnavailable) {
            return try configuration.agentNamed(name)
        } catch {
            throw Rejection(.agentUnavailable, error.message)
        }
    }

    /// The agent that runs a session, as far as the client may see it.
    func run(of session: String, for identity: Identity) throws(Rejection) -> AgentRun? {
        let found = runs.filter { run in
            identity.maySee(tenant: run.tenant) && run.sessions?.sessions[session]?.isLive == true
        }
        guard found.count > 1 else { return found.first }
        var rejection = Rejection(.sessionAmbiguous, "several agents run a session \(quoted(session))")
        rejection.candidates = found.prefix(ReadLimit.namesakes).map { "\($0.name):\(session)" }
        throw rejection
    }

    // MARK: Kept agents

    /// Agents without an editor that are what a client asks for.
    func keptRuns(like address: GuestAddress, for identity: Identity) -> [AgentRun] {
        runs.filter { run in
            guard mayBeTaken(run), run.sessions?.initializeResult != nil, run.tenant == identity.tenant else {
                return false
            }
            return address.launch.map { isSame(run, $0) } ?? (run.name == address.agent)
        }
    }

    /// It has no editor, or one that lost its line and has not come back yet.
    func mayBeTaken(_ run: AgentRun) -> Bool { run.isKept || absentOwner(of: run) != nil }

    /// The client whose agent this is, where it is away.
    func absentOwner(of run: AgentRun) -> GuestRelay? {
        guard !run.isEnding, let primary = run.sessions?.exchange.primary else { return nil }
        return (run.guests[primary] as? GuestLink).flatMap { relays.absentOwner(of: $0.connection) }
    }

    /// Whether a front that asks for this may take over what runs.
    func hasKeptRun(like request: LaunchRequest) -> Bool {
        runs.contains { mayBeTaken($0) && $0.sessions?.initializeResult != nil && isSame($0, request) }
    }

    private func isSame(_ run: AgentRun, _ request: LaunchRequest) -> Bool {
        run.tenant == nil && (request.agent == nil || run.name == Self.name(of: request))
            && run.command == request.command
    }

    /// Their sessions, newest first.
    func keptSessions(
        like address: GuestAddress, for identity: Identity
    ) -> [(run: AgentRun, session: Session)] {
        keptRuns(like: address, for: identity)
            .flatMap { run in (run.sessions?.sessions.values.filter(\.isLive) ?? []).map { (run, $0) } }
            .sorted { $0.session.lastTime > $1.session.lastTime }
    }

    // MARK: Fronts that come back

    /// Serves a front as a client of `/acp`, whose own agent is what the front wants to run.
    @discardableResult
    func addGuestFront(
        _ stream: consuming ByteStream, _ request: LaunchRequest, permit: ConnectionPermit
    ) -> TinyvexConnection {
        var address = GuestAddress()
        address.launch = request
        return addConnection(
            stream, remainder: [], id: RandomText.uuid() ?? "", identity: .localUser(admission.user), wire: .acp,
            address: address, permit: permit)
    }
}
