import Access
import AgentProcess
import Agents
import Clients
import EventLoop
import Functions
import Glibc
import Posix
import SessionLog
import SessionStreams
import Tinyvex

/// The daemon: composes the log, the agents, the functions, the clients and the HTTP server, and starts and stops them.
@LoopActor package final class Bridge {
    let configuration: BridgeConfiguration
    let user: UInt32
    let audit: AuditLog
    let registry: SessionRegistry
    package let agents: AgentPool
    private(set) lazy var functions = Functions(
        registry: registry, agents: agents, audit: audit, authenticator: authenticator,
        profiles: configuration.profiles, host: self)
    private(set) lazy var clients = ClientTable(
        limits: configuration.limits, registry: registry, agents: agents, functions: functions, audit: audit,
        authenticator: authenticator, connectionCount: connectionCount, user: user, version: configuration.version)
    private(set) lazy var server = HTTPServer(
        configuration,
        admission: Admission(
            user: user, allowedOrigins: configuration.allowedOrigins, hosts: HostNames(configuration.allowedHosts)),
        authenticator: authenticator, clients: clients, functions: functions, connectionCount: connectionCount)
    private(set) lazy var listeners = Listeners(configuration, certificate: certificate) { [unowned self] in
        server.accept($0, from: $1)
    } lockLost: { [unowned self] in
        lock = try FileLock(path: configuration.home.daemonLock)
    }
    private let authenticator: Authenticator
    private let connectionCount: ConnectionCount
    let startedAt = wallClockMilliseconds()
    private(set) var isStopping = false
    /// Non-nil while another program replaces this one.
    var upgrade: Upgrade?
    private(set) var lock: FileLock
    private var retention: RetentionWatch?
    private var logKeeper: LogKeeper?
    private(set) lazy var warnings = RunningWarnings(report: configuration.warn)
    /// The certificate for TCP clients; nil for a bridge without TLS.
    package let certificate: ServerCertificate?

    /// How long a stopping bridge waits for editors to read the output of their agents. Longer than an agent takes to
    /// end.
    private static let editorPatience = Duration.seconds(7)
    /// The total time that a stopping bridge waits: for a log that cannot be written, and for clients that do not
    /// close.
    private static let stopPatience = Duration.seconds(10)
    /// How long a bridge that was started on demand waits for the previous bridge to end.
    private static let lockPatience = Duration.seconds(15)

    /// Warnings about the start for the user, one sentence each.
    package var startWarnings: [String] {
        var warnings: [String] = []
        if let warning = certificate?.warning { warnings.append(warning) }
        if let damaged = registry.log.damaged {
            warnings.append(
                "The session log was damaged. It lies in \(damaged.path) now, and a new one was begun with the "
                    + "\(damaged.rescuedSessions) sessions that could be read of it.")
        }
        return warnings
    }

    /// Takes the lock on the home, opens the log and listens.
    ///
    /// - Parameter handOver: The state that the previous program has left in this process. The bridge continues with
    ///   it.
    package init(_ configuration: BridgeConfiguration, continuing handOver: HandOver? = nil) throws {
        self.configuration = configuration
        certificate = try configuration.certificate.map { try ServerCertificate($0) }
        try configuration.home.prepare()
        do {
            lock = try handOver.map { FileLock(adopting: $0.lock) } ?? Self.takeLock(configuration)
        } catch FileLock.Failure.held(let pid) {
            throw BridgeStartError.alreadyRunning(pid: pid, home: configuration.home.runtime)
        } catch FileLock.Failure.system(let error) {
            throw error
        }
        connectionCount = ConnectionCount(
            limit: configuration.limits.connections, perAddress: configuration.limits.connectionsPerAddress)
        let token = try AccessToken.load(path: configuration.home.token)
        user = geteuid()
        authenticator = Authenticator(
            own: token, file: TokenFile(configuration.home), issuers: configuration.issuers)
        audit = AuditLog(path: configuration.home.audit, limitBytes: configuration.limits.auditBytes)
        let log = try LogClient(path: configuration.home.log, durability: configuration.durability)
        registry = SessionRegistry(log: log, limits: configuration.limits)
        registry.audit = audit
        agents = AgentPool(
            registry: registry, audit: audit,
            settings: AgentPool.Settings(
                limit: configuration.limits.agents, permissionLimit: configuration.permissionLimit,
                coreLimit: configuration.coreLimit, agentNamed: configuration.agentNamed),
            recordPath: configuration.home.agentRecord, inherited: handOver?.runs.map(\.record))
        connect()
        try listeners.listen(inheriting: handOver?.listeners ?? [])
        logKeeper = LogKeeper(configuration.home, registry.log)
        registry.log.filesRestored = { [unowned self] in warnings.logWasRestored($0) }
        // The tokens are loaded only now: see `TokenFile`.
        try authenticator.load()
        retention = configuration.retention.map { policy in
            RetentionWatch(policy, registry) { [unowned self] life in
                functions.forgot(life)
            } clockWasChecked: { [unowned self] lead in
                warnings.checkedClock(lead: lead)
            }
        }
        if let handOver { adopt(handOver) }
    }

    /// Takes the bridge's lock. A bridge that was started on demand waits if another bridge is about to end.
    private static func takeLock(_ configuration: BridgeConfiguration) throws(FileLock.Failure) -> FileLock {
        let deadline = Instant.now + (configuration.waitsForPredecessor ? lockPatience : .zero)
        while true {
            do throws(FileLock.Failure) {
                return try FileLock(path: configuration.home.daemonLock)
            } catch {
                guard case .held = error, Instant.now < deadline else { throw error }
                usleep(10_000)
            }
        }
    }

    /// Connects the parts: sets the callbacks for ends and changes.
    private func connect() {
        registry.onCompleted = { [unowned self] in leaveIfDone() }
        registry.onChange = { [unowned self] session, change in functions.noteChange(of: session, change) }
        agents.onChange = { [unowned self] in functions.queries.touch(.agents) }
        agents.onEnd = { [unowned self] in leaveIfDone() }
        clients.onClose = { [unowned self] in leaveIfDone() }
        server.metrics = { [unowned self] in Array(metricsText.utf8) }
    }

    /// Processes of an earlier bridge's agents that were found and killed at the start.
    package var sweptCount: Int { agents.sweptCount }

    /// Reaps processes that agents left behind.
    package func reapStrays() { agents.reapStrays() }

    /// Where TCP clients connect: `wss://127.0.0.1:7717`.
    package var urls: [String] { listeners.urls }

    // MARK: Stopping

    /// Ends every agent as if its editor had disconnected, stores the remaining updates, and notifies all clients.
    package func stop() {
        guard !isStopping else { return }
        isStopping = true
        agents.isClosed = true
        listeners.close()
        logKeeper?.close()
        server.close()
        for front in Array(clients.fronts.values) { front.endUnlessRunning() }
        for run in agents.runs { run.end() }
        EventLoop.main.schedule(after: Self.editorPatience) { [self] in
            for run in agents.runs { run.editorGone() }
        }
        EventLoop.main.schedule(after: Self.stopPatience) { [self] in leave() }
        leaveIfDone()
    }

    private func leaveIfDone() {
        guard isStopping, agents.runs.isEmpty, isAllStored else { return }
        for connection in Array(clients.connections.values) { connection.goAway() }
        if clients.connections.isEmpty { leave() }
    }

    private func leave() {
        retention?.stop()
        registry.log.close()
        EventLoop.main.stop()
    }

    private var isAllStored: Bool { registry.live.all.allSatisfy(\.isComplete) }
}

extension Bridge: FunctionHost {
    package var connectionsByToken: [String: Int] { clients.connectionsByToken }

    package func dismissExpired() { clients.dismissExpired() }
}

/// The reason why a bridge cannot start, as a message to the user who started it.
package enum BridgeStartError: Error, CustomStringConvertible {
    case alreadyRunning(pid: pid_t?, home: String)
    case portInUse(host: String, port: UInt16)

    package var description: String {
        switch self {
        case .alreadyRunning(let pid, let home):
            "a bridge is already running\(pid.map { " (process \($0))" } ?? "") on \(home); `acpbridge stop` ends it"
        case .portInUse(let host, let port):
            "\(host):\(port) is in use; choose another with --listen HOST:PORT (`:0` takes a free one), or --no-tcp"
        }
    }
}
