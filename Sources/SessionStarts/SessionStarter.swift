import Access
import Agents
import EventLoop
import FieldLimits
import SessionStreams
import Tinyvex

/// 1 MiB, far more than a person writes. Prompts with files go to a session that runs.
private let promptLimitBytes = 1 << 20
/// Longer than a UUID, which clients should choose.
private let keyLimitBytes = 128

/// Begins sessions, and continues ended ones, for clients that are not editors: `sessions:begin` and `sessions:resume`.
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
    private var resuming: [Key: (run: AgentRun, waiting: [StartingSession.Completion])] = [:]

    /// More people than continue one session at the same time. Further ones are refused, because each can have a prompt.
    private static let waitingLimit = 16

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
        let folder = try arguments.optionalString("cwd", limitBytes: FieldLimit.folderBytes)
        let order = try Order(arguments, by: identity)
        let (run, path) = try agents.start(
            agent, forSession: nil, in: folder, tenant: identity.tenant, for: identity)
        run.purpose?.keys += order.keys
        let finish = finishing(order, isOwn: true, then: finish)
        StartingSession(run, folder: path, continuing: nil, by: identity.who, then: finish).begin(services.timers)
        placed()
    }

    /// `sessions:resume`
    ///
    /// - Parameter placed: Called when the agent has been started. The client's next call can begin then.
    package func resume(
        _ arguments: Parameters, by identity: Identity, placed: @escaping @LoopActor () -> Void,
        then finish: @escaping Completion
    ) throws(Rejection) {
        let order = try Order(arguments, by: identity)
        registry.find(try SessionReference(arguments), of: identity.tenant) { [self] found in
            do throws(Rejection) {
                try resume(found.get(), order, then: finish)
                placed()
            } catch {
                finish(.failure(error))
            }
        }
    }

    /// The parts of a client's request beside the session.
    private struct Order {
        let identity: Identity
        let text: String?
        /// The names by which the client can cancel the start: one or none.
        let keys: [String]

        init(_ arguments: Parameters, by identity: Identity) throws(Rejection) {
            self.identity = identity
            text = try arguments.optionalString("text", limitBytes: promptLimitBytes)
            keys = [try arguments.optionalString("start", limitBytes: keyLimitBytes)].compactMap(\.self)
        }
    }

    /// Returns a handler that sends the prompt, if there is one, and then answers the client.
    private func finishing(
        _ order: Order, isOwn: Bool, then finish: @escaping Completion
    ) -> StartingSession.Completion {
        { [audit] outcome in
            do throws(Rejection) {
                let session = try outcome.get()
                if let text = order.text, !text.isEmpty { try session.prompt(text, by: order.identity, audit) }
                finish(.success(session.value(isOwn: isOwn)))
            } catch {
                finish(.failure(error))
            }
        }
    }

    private func resume(_ session: Session, _ order: Order, then finish: @escaping Completion) throws(Rejection) {
        if let rejection = session.otherBridge { throw rejection }
        let key = Key(agent: session.agent, sessionId: session.id, tenant: session.tenant)
        if let (run, waiting) = resuming[key] {
            guard waiting.count < Self.waitingLimit else {
                throw Rejection(.limitExceeded, "\(waiting.count) clients wait for this session")
            }
            resuming[key]?.waiting.append(finishing(order, isOwn: false, then: finish))
            run.purpose?.keys += order.keys
            return
        }
        if let run = agents.opener(of: session.id, agent: session.agent, tenant: session.tenant) {
            return finishing(order, isOwn: false, then: finish)(.success(try open(session.id, in: run)))
        }
        guard session.parentId == nil else {
            throw Rejection(.mutationFailed, "a subagent cannot be continued alone; continue the session above it")
        }
        guard let folder = session.cwd, folder.hasPrefix("/") else {
            throw Rejection(.mutationFailed, "the folder of session \(quoted(session.id)) is not known")
        }
        let (run, path) = try agents.start(
            session.agent, forSession: session.id, in: folder, tenant: session.tenant, for: order.identity)
        run.purpose?.keys += order.keys
        resuming[key] = (run, [finishing(order, isOwn: true, then: finish)])
        StartingSession(run, folder: path, continuing: session.id, by: order.identity.who) { [weak self] outcome in
            for finish in self?.resuming.removeValue(forKey: key)?.waiting ?? [] { finish(outcome) }
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
