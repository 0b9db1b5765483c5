import Access
import Agents
import EventLoop
import SessionStreams
import Tinyvex

/// Begins sessions, and continues ended ones, for clients that are no editors: `sessions:begin` and `sessions:resume`.
///
/// The agent belongs to no client and continues until it is stopped, like one of `acpbridge run`. A client that leaves
/// meanwhile changes nothing: the session appears in the list.
@LoopActor package final class SessionStarter {
    /// Receives the value of the action as JSON text, once.
    package typealias Completion = @LoopActor (Result<[UInt8], Rejection>) -> Void

    /// Identifies an ended session for which an agent is being started.
    private struct Key: Hashable {
        let agent: String
        let sessionId: String
        let tenant: String?
    }

    private let agents: AgentPool
    private let registry: SessionRegistry
    private let audit: AuditLog
    private let services: LoopServices
    /// The clients that wait for each session: at most as many sessions as agents, and ``waitingLimit`` clients for each.
    private var resuming: [Key: [StartingSession.Completion]] = [:]

    /// More people than continue one session at the same time. Further ones are refused, because each can have a prompt.
    private static let waitingLimit = 16
    /// 1 MiB, far more than a person writes. Prompts with files go to a session that runs.
    private static let promptLimitBytes = 1 << 20

    package init(agents: AgentPool, registry: SessionRegistry, audit: AuditLog, services: LoopServices) {
        self.agents = agents
        self.registry = registry
        self.audit = audit
        self.services = services
    }

    /// `sessions:begin`
    ///
    /// - Parameter placed: Called when the agent has been started. The client's next call can begin then.
    package func begin(
        _ arguments: Parameters, by identity: Identity, placed: @LoopActor () -> Void,
        then finish: @escaping Completion
    ) throws(Rejection) {
        guard let agent = try arguments.optionalString("agent"), !agent.isEmpty else {
            throw .invalidParams("agent: the name of one of the profiles in agents:list")
        }
        let folder = try arguments.optionalString("cwd", limitBytes: Self.folderLimitBytes)
        let finish = try prompting(arguments, by: identity, then: finish)
        let (run, path) = try agents.start(
            agent, forSession: nil, in: folder, tenant: identity.tenant, for: identity)
        StartingSession(run, folder: path, continuing: nil, by: identity.who, then: finish).begin(services.timers)
        placed()
    }

    /// PATH_MAX of Linux.
    private static let folderLimitBytes = 4096

    /// `sessions:resume`
    ///
    /// - Parameter placed: Called when the agent has been started. The client's next call can begin then.
    package func resume(
        _ arguments: Parameters, by identity: Identity, placed: @escaping @LoopActor () -> Void,
        then finish: @escaping Completion
    ) throws(Rejection) {
        let finish = try prompting(arguments, by: identity, then: finish)
        registry.find(try SessionReference(arguments), of: identity.tenant) { [self] found in
            do throws(Rejection) {
                try resume(found.get(), by: identity, then: finish)
                placed()
            } catch {
                finish(.failure(error))
            }
        }
    }

    /// Returns a handler that sends the prompt of the arguments, if there is one, and then answers the client.
    private func prompting(
        _ arguments: Parameters, by identity: Identity, then finish: @escaping Completion
    ) throws(Rejection) -> StartingSession.Completion {
        let text = try arguments.optionalString("text", limitBytes: Self.promptLimitBytes)
        return { [audit] outcome in
            do throws(Rejection) {
                let session = try outcome.get()
                if let text, !text.isEmpty { try session.prompt(text, by: identity, audit) }
                finish(.success(session.value))
            } catch {
                finish(.failure(error))
            }
        }
    }

    private func resume(
        _ session: Session, by identity: Identity, then finish: @escaping StartingSession.Completion
    ) throws(Rejection) {
        if let rejection = session.otherBridge { throw rejection }
        let key = Key(agent: session.agent, sessionId: session.id, tenant: session.tenant)
        if let waiting = resuming[key] {
            guard waiting.count < Self.waitingLimit else {
                throw Rejection(.limitExceeded, "\(waiting.count) clients wait for this session")
            }
            resuming[key] = waiting + [finish]
            return
        }
        if let run = agents.opener(of: session.id, agent: session.agent, tenant: session.tenant) {
            return finish(.success(try open(session.id, in: run)))
        }
        guard session.parentId == nil else {
            throw Rejection(.mutationFailed, "a subagent cannot be continued alone; continue the session above it")
        }
        guard let folder = session.cwd, folder.hasPrefix("/") else {
            throw Rejection(.mutationFailed, "the folder of session \(quoted(session.id)) is not known")
        }
        let (run, path) = try agents.start(
            session.agent, forSession: session.id, in: folder, tenant: session.tenant, for: identity)
        resuming[key] = [finish]
        StartingSession(run, folder: path, continuing: session.id, by: identity.who) { [weak self] outcome in
            for finish in self?.resuming.removeValue(forKey: key) ?? [] { finish(outcome) }
        }.begin(services.timers)
    }

    /// A session that has an agent already: it can also run as another incarnation.
    private func open(_ session: String, in run: AgentRun) throws(Rejection) -> OpenSession {
        guard !run.isLeaving else {
            throw Rejection(.mutationFailed, "the session's agent is ending; try again when it has ended")
        }
        guard !run.isOpening(session) else {
            throw Rejection(.mutationFailed, "another agent is opening session \(quoted(session))")
        }
        return OpenSession(id: session, run: run)
    }
}
