import Access
import AgentProcess
import Agents
import Clients
import Diagnostics
import EventLoop
import Functions
import Glibc
import HTTPServing
import JSONCoding
import Posix
import SessionStreams
import Tinyvex

/// Replaces the program in the same process, while agents, editors, listeners and the log's lock stay open.
///
/// The bridge first stops reading from agents and editors. Their pipes keep the output in the meantime. After
/// everything that was read is stored, the new program replaces this one. If the replacement fails, the bridge
/// continues as before.
@LoopActor final class Upgrader {
    /// The configuration of the running program, which the next program gets too.
    struct Program: Sendable {
        let arguments: [SystemString]
        let environment: [SystemString]
        /// The soft limit on core files for the next program. Nil: the limit of this process.
        let coreLimit: CoreDumps.Limit?
        let issuers: IssuerKeys?
    }

    /// The descriptors of the listening sockets and of the home's lock.
    typealias Listening = (lock: Int32, listeners: [HandOver.ListenerState])

    /// The connections over HTTP, which end when another program replaces this one: see ``HTTPServer``.
    struct Requests {
        let areInProgress: @LoopActor () -> Bool
        let endConnections: @LoopActor () -> Void
        let keepConnections: @LoopActor () -> Void
    }

    private let program: Program
    private let user: UInt32
    private let certificate: ServerCertificate?
    private let registry: SessionRegistry
    private let agents: AgentPool
    private let clients: ClientTable
    private let requests: Requests
    private let audit: AuditLog
    private let listening: @LoopActor () -> Listening
    private let services: LoopServices
    /// Called as the last step before the process runs the other program.
    var willReplaceProgram: @LoopActor () -> Void = {}
    /// The replacement in progress.
    private var current: Upgrade?
    /// Set when the bridge stops; no replacement begins or continues after that.
    private var isStopping = false

    /// - Parameters:
    ///   - user: The id of the user who runs the bridge, and the only one who can replace it.
    ///   - requests: Those over HTTP; their answers are awaited for ``HTTPServer/answerPatience``.
    ///   - listening: Returns the sockets that the next program inherits.
    init(
        _ program: Program, user: UInt32, certificate: ServerCertificate?, registry: SessionRegistry,
        agents: AgentPool, clients: ClientTable, requests: Requests, audit: AuditLog, services: LoopServices,
        listening: @escaping @LoopActor () -> Listening
    ) {
        self.program = program
        self.user = user
        self.certificate = certificate
        self.registry = registry
        self.agents = agents
        self.clients = clients
        self.requests = requests
        self.audit = audit
        self.services = services
        self.listening = listening
    }

    func stop() { isStopping = true }

    // MARK: In the old program

    /// `bridge:replace`: finishes just before the new program takes over, or as soon as the replacement fails.
    func replace(
        _ arguments: Parameters, by identity: Identity, then finish: @escaping CompletionHandler
    ) throws(Rejection) {
        // A remote admin can stop this bridge, but cannot make it run a program on this machine.
        guard identity == .localUser(user) else {
            throw Rejection(.readOnly, "only on the bridge's own Unix socket", rpcCode: .invalidRequest)
        }
        guard !isStopping else {
            throw Rejection(.limitExceeded, "the bridge is being stopped", rpcCode: .invalidRequest)
        }
        let path = try arguments.string("program")
        guard path.hasPrefix("/"), access(path, X_OK) == 0 else {
            throw .invalidParams("program: the absolute path of a program that can be run")
        }
        guard arguments.value("format")?.int64Value.map({ $0 >= HandOver.format }) == true else {
            throw .invalidParams("format: that program is older than the running bridge, and cannot read its hand-over")
        }
        let words = arguments.value("arguments").map { $0.elements.compactMap(\.stringValue).map { SystemString($0) } }
        if words == nil, let fault = fileFault {
            throw .invalidParams("arguments: with its present arguments, the bridge could not start again: \(fault)")
        }
        audit.record(.replaced, by: identity)
        begin(
            Upgrade(
                command: [SystemString(path)] + (words ?? program.arguments),
                deadline: services.time.now + Upgrade.patience, finish: finish))
    }

    /// The error in the files that the next program would read at its start. With such an error the next program could
    /// neither start nor return to this one.
    private var fileFault: String? {
        if let fault = program.issuers?.fault { return fault.description }
        do throws(TLSFault) { try certificate?.reload() } catch { return "\(error)" }
        return nil
    }

    /// Starts the upgrade. A second request waits for the first one. If the first succeeds, the second request's client
    /// loses its connection and sends its request to the new program.
    private func begin(_ upgrade: Upgrade) {
        guard current == nil else {
            guard services.time.now < upgrade.deadline else {
                return Self.refuse(upgrade, "another replacement of the bridge is in progress; try again")
            }
            services.timers.schedule(after: Upgrade.pause) { [self] in begin(upgrade) }
            return
        }
        current = upgrade
        requests.endConnections()
        upgrade.answerDeadline = services.time.now + HTTPServer.answerPatience
        awaitAnswers(upgrade)
    }

    /// Waits for the answers over HTTP that are in progress. Agents run meanwhile, because a client can be slow to read.
    private func awaitAnswers(_ upgrade: Upgrade) {
        guard !owesAnswers(upgrade) else {
            services.timers.schedule(after: Upgrade.pause) { [self] in awaitAnswers(upgrade) }
            return
        }
        upgrade.deadline = services.time.now + Upgrade.patience
        pause(true)
        // Not now: a request can be handled in the middle of an agent's output, if an update gives its connection room again.
        // The rest of that output would be lost.
        services.timers.soon { [self] in proceed(upgrade) }
    }

    private func owesAnswers(_ upgrade: Upgrade) -> Bool {
        !isStopping && services.time.now < upgrade.answerDeadline && requests.areInProgress()
    }

    private func proceed(_ upgrade: Upgrade) {
        guard !isStopping else {
            resume()
            return Self.refuse(upgrade, "the bridge is being stopped")
        }
        if let obstacle {
            guard services.time.now < upgrade.deadline else {
                resume()
                return Self.refuse(upgrade, obstacle)
            }
            services.timers.schedule(after: Upgrade.pause) { [self] in proceed(upgrade) }
            return
        }
        // They have begun since the agents are paused.
        if owesAnswers(upgrade) {
            services.timers.schedule(after: Upgrade.pause) { [self] in proceed(upgrade) }
            return
        }
        // All steps that can fail come before the response, except for the kernel's part.
        do {
            upgrade.stored = try StoredHandOver(handOver)
        } catch {
            resume()
            return Self.refuse(upgrade, "the bridge cannot store its hand-over: \(error)")
        }
        upgrade.finish(
            .success(
                FunctionResponse(result: Array(#"{"replacing":true}"#.utf8)) { [self] in replaceProgram(upgrade) }))
        // The response was not sent, because the client has given up.
        if current === upgrade { resume() }
    }

    private static func refuse(_ upgrade: Upgrade, _ reason: String) {
        upgrade.finish(.failure(Rejection(.limitExceeded, reason, rpcCode: .internalError)))
    }

    /// Called in the same turn of the loop as ``proceed(_:)``, so the stored state is still the current one.
    private func replaceProgram(_ upgrade: Upgrade) {
        guard let stored = upgrade.stored else { return resume() }
        for connection in clients.connections.values
        where !connection.isOfShim && !clients.resumableConnections.holds(connection) {
            connection.leaveForUpgrade()
        }
        willReplaceProgram()
        DiagnosticLog.daemon.record(.handingOver(agents: agents.runs.count))
        let variable = SystemString("\(HandOver.variable)=\(stored.file.raw)")
        _ = ProgramReplacement.replace(
            with: upgrade.command, environment: program.environment + [variable],
            inheriting: stored.handOver.descriptors + [stored.file.raw], coreLimit: program.coreLimit)
        DiagnosticLog.daemon.record(.handOverFailed)
        // The replacement failed. Clients were disconnected, including the requester, and will reconnect. Nothing else
        // has changed.
        resume()
    }

    private func resume() {
        current = nil
        requests.keepConnections()
        pause(false)
    }

    private func pause(_ isHeld: Bool) {
        for run in agents.runs { run.pause(isHeld) }
        for shim in clients.shims.values { shim.pause(isHeld) }
    }

    /// The condition that the upgrade waits for, as a message to the user.
    private var obstacle: String? {
        if let ending = agents.runs.first(where: { !$0.canBeHandedOver }) {
            return
                "\(ending.name) is ending, and its editor has not read all of its output; try again after it has ended"
        }
        if clients.shims.values.contains(where: \.hasUnsettledEditor) {
            return "an editor that has taken over an agent has not read all of its messages; try again"
        }
        if clients.resumableConnections.all.contains(where: { !$0.hasEnded && $0.state == nil }) {
            return "a resumable client is disconnected with unsent messages; try again after it reconnects"
        }
        return registry.isSettled
            ? nil : "the log takes too long to store the sessions' updates; see `acpbridge status`"
    }

    private var handOver: HandOver {
        let (lock, listeners) = listening()
        return HandOver(
            lock: lock, listeners: listeners,
            runs: agents.runs.compactMap(\.state), shims: clients.shims.values.compactMap(\.state),
            resumableConnections: clients.resumableConnections.all.compactMap(\.state),
            restarts: agents.restarts.state(agents.runs))
    }

    // MARK: In the new program

    func adopt(_ handOver: HandOver) {
        for state in handOver.runs { adopt(state) }
        for state in handOver.shims { clients.adopt(state) }
        for state in handOver.resumableConnections { clients.adopt(state) }
        // Resume last: a client that has not reconnected by now will not reconnect.
        for state in handOver.runs { agents.run(pid: state.record.pid).map { resume($0, state) } }
        if let restarts = handOver.restarts { agents.restarts.adopt(restarts, agents.runs) }
    }

    private func adopt(_ state: AgentRun.State) {
        do throws(SystemError) {
            try agents.adopt(state) { [weak self] run, status in self?.clients.agentEnded(run, status) }
        } catch {
            DiagnosticLog.daemon.record(.failed(doing: "adopting an agent", error: "\(error)"))
            kill(-state.record.pid, SIGKILL)
        }
    }

    private func resume(_ run: AgentRun, _ state: AgentRun.State) {
        if orLog("resuming an agent", { try run.resume(state) }) == nil { run.giveUp() }
    }
}

/// One replacement that a client has requested.
@LoopActor private final class Upgrade {
    let command: [SystemString]
    let finish: CompletionHandler
    var deadline: Instant
    /// When the replacement waits no longer for answers over HTTP.
    var answerDeadline: Instant
    /// The state for the new program; nil until it is stored.
    var stored: StoredHandOver?

    /// The maximum wait for the log to store the updates that were read, and for ending agents to end.
    static let patience = Duration.seconds(10)
    static let pause = Duration.milliseconds(1)

    init(command: [SystemString], deadline: Instant, finish: @escaping CompletionHandler) {
        self.command = command
        self.deadline = deadline
        answerDeadline = deadline
        self.finish = finish
    }
}

/// A hand-over in its file, which the next program reads.
private final class StoredHandOver {
    let handOver: HandOver
    let file: Descriptor

    init(_ handOver: HandOver) throws {
        self.handOver = handOver
        file = try handOver.store()
    }
}
