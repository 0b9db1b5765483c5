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
    }

    private let agents: AgentPool
    private let registry: SessionRegistry
    private let services: LoopServices
    /// At most as many as agents.
    private var resuming: Set<Key> = []

    package init(agents: AgentPool, registry: SessionRegistry, services: LoopServices) {
        self.agents = agents
        self.registry = registry
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
        try open(nil, of: agent, in: folder, by: identity, then: finish)
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
        registry.find(try SessionReference(arguments), of: identity.tenant) { [self] found in
            do throws(Rejection) {
                try resume(found.get(), by: identity, then: finish)
                placed()
            } catch {
                finish(.failure(error))
            }
        }
    }

    private func resume(_ session: Session, by identity: Identity, then finish: @escaping Completion) throws(Rejection)
    {
        if let rejection = session.otherBridge { throw rejection }
        // Another incarnation of the session can run.
        if let run = agents.runs(of: session.id, agent: session.agent, for: identity).first {
            return finish(.success(SessionStart.value(of: session.id, in: run)))
        }
        guard session.parentId == nil else {
            throw Rejection(.mutationFailed, "a subagent cannot be continued alone; continue the session above it")
        }
        guard let folder = session.cwd else {
            throw Rejection(.mutationFailed, "the folder of session \(quoted(session.id)) is not known")
        }
        let key = Key(agent: session.agent, sessionId: session.id)
        guard !resuming.contains(key), agents.opener(of: session.id, agent: session.agent) == nil else {
            throw Rejection(.mutationFailed, "session \(quoted(session.id)) is being continued already")
        }
        try open(session.id, of: session.agent, in: folder, by: identity) { [weak self] outcome in
            self?.resuming.remove(key)
            finish(outcome)
        }
        resuming.insert(key)
    }

    private func open(
        _ earlier: String?, of agent: String, in folder: String?, by identity: Identity,
        then finish: @escaping Completion
    ) throws(Rejection) {
        let (run, folder) = try agents.startUnattended(agent, in: folder, for: identity)
        SessionStart(run, folder: folder, continuing: earlier, by: identity.who, then: finish).begin(services.timers)
    }
}
