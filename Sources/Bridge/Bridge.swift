import Access
import AgentProcess
import Agents
import Clients
import Diagnostics
import EventLoop
import FileStore
import Functions
import Glibc
import HTTPServing
import Hub
import HubSharing
import JSONScan
import JSONWebKeys
import LiveQueries
import LogAccess
import NotificationDelivery
import Notifications
import PeerSharing
import Posix
import Searching
import SessionRecords
import SessionStreams
import Tinyvex
import TraceDelivery

/// The daemon: composes the log, the agents, the functions, the clients and the HTTP server, and starts and stops them.
@LoopActor package final class Bridge {
    let configuration: BridgeConfiguration
    private let ownToken: AccessToken
    let audit: AuditLog
    let registry: SessionRegistry
    package let agents: AgentPool
    let functions: Functions
    let clients: ClientTable
    let server: HTTPServer
    let listeners: Listeners
    /// The certificate for TCP clients; nil for a bridge without TLS.
    package let certificate: ServerCertificate?
    let services: LoopServices
    let startedAt: Int64
    private let upgrader: Upgrader
    let logCare: LogCare
    let activity: ActivityWatch
    private var isStopping = false

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
                "The session log was damaged. It was moved to \(damaged.path), and a new log was started with the "
                    + "\(damaged.rescuedSessions) sessions that could be read from it.")
        }
        return warnings
    }

    /// Takes the lock on the home, opens the log and listens.
    ///
    /// - Parameter handOver: The state that the previous program has left in this process. The bridge continues with
    ///   it.
    package init(
        _ configuration: BridgeConfiguration, continuing handOver: HandOver? = nil, services: LoopServices = .main
    ) throws {
        self.configuration = configuration
        self.services = services
        startedAt = services.time.dateMilliseconds
        certificate = try configuration.listening.certificate.map { try ServerCertificate($0, time: services.time) }
        try configuration.home.prepare()
        let lock = try Self.lock(configuration, handOver, services.time)
        // Opening the log takes the longest, so it begins first.
        let opening = try SessionLogClient.Opening(
            path: configuration.home.log, durability: configuration.log.durability,
            marksInterruptions: handOver == nil)
        let (limits, user) = (configuration.limits, geteuid())
        let connectionCount = ConnectionCount(limits)
        logCare = LogCare(report: configuration.warn)
        let keySet = try Self.keySet(configuration, logCare, services)
        audit = Self.auditLog(configuration, services.time)
        let record = AgentRecordFile(
            path: configuration.home.agentRecord, continuing: handOver?.runs.map(\.record))
        let files = FileStore(path: configuration.home.files, limits: FileLimits(configuration), services: services)
        let notifier = try Notifier(
            configuration.notifications, home: configuration.home, environment: configuration.program.environment,
            services: services)
        let hosts = HostNames(configuration.access.allowedHosts)
        ownToken = try AccessToken.load(path: configuration.home.token)
        let authenticator = Authenticator(
            own: ownToken, file: TokenFile(configuration.home),
            issuers: configuration.access.issuers, keySet: keySet)
        // Waits until the log is open.
        registry = SessionRegistry(
            log: try Self.log(opening, configuration, services), limits: limits, services: services)
        registry.audit = audit
        let sessions = registry
        let tracer = try configuration.traces.map { try TurnTracer($0, sessions, services: services) }
        activity = ActivityWatch(time: services.time, tracer: tracer)
        agents = AgentPool(
            registry: registry, audit: audit, settings: AgentPool.Settings(configuration),
            record: record)
        functions = Functions(
            registry: registry, agents: agents, audit: audit, authenticator: authenticator, files: files,
            profiles: configuration.agents.profiles, services: services)
        clients = ClientTable(
            ClientServices(
                limits: limits, registry: registry, agents: agents, functions: functions, audit: audit, loop: services),
            authenticator: authenticator, connectionCount: connectionCount, user: user,
            version: configuration.program.version)
        server = HTTPServer(
            HTTPServer.Settings(configuration),
            admission: Admission(
                user: user, allowedOrigins: configuration.access.allowedOrigins, hosts: hosts,
                usesTLS: configuration.listening.certificate != nil,
                publicOrigin: configuration.access.publicAddress?.origin),
            authenticator: authenticator, clients: clients, functions: functions, connectionCount: connectionCount,
            notifier: notifier, services: services)
        listeners = Listeners(configuration, lock, certificate: certificate, services: services) {
            [unowned server] in
            server.accept($0, from: $1)
        }
        upgrader = Upgrader(
            Upgrader.Program(configuration), user: user, certificate: certificate, registry: registry, agents: agents,
            clients: clients, requests: Upgrader.Requests(server), audit: audit, services: services
        ) { [unowned listeners] in listeners.states }
        connect()
        try listeners.listen(inheriting: handOver?.listeners)
        setFilesURL()
        try beginSharing(authenticator)
        logCare.keepFiles(of: registry.log, in: configuration.home, services)
        // The tokens are loaded only now: see `TokenFile`.
        try authenticator.load()
        beginRetention()
        upgrader.willReplaceProgram = { notifier.flush() }
        if let handOver { upgrader.adopt(handOver) }
        activity.adopt(agents.runs, Array(registry.live.all))
        DiagnosticLog.daemon.record(
            .started(version: configuration.program.version, pid: getpid(), agents: agents.runs.count))
    }

    private static func keySet(
        _ configuration: BridgeConfiguration, _ logCare: LogCare, _ services: LoopServices
    ) throws -> KeySetFetcher? {
        try configuration.access.issuerKeySet.map { url in
            try KeySetFetcher(url: url, services: services) { logCare.fetchedIssuerKeys(fault: $0) }
        }
    }

    private static func auditLog(_ configuration: BridgeConfiguration, _ time: any TimeSource) -> AuditLog {
        let audit = AuditLog(
            path: configuration.home.audit, limitBytes: configuration.limits.auditBytes,
            retention: configuration.log.auditRetention, time: time)
        audit.onLoss = {
            DiagnosticLog.daemon.record(.failed(doing: "writing the audit log", error: "\($0)"))
        }
        audit.onAnchor = { DiagnosticLog.daemon.record(.auditHead(number: $0.number, hash: $0.hash)) }
        return audit
    }

    /// The address of the files that clients upload.
    private func setFilesURL() {
        if let url = configuration.access.publicAddress?.url {
            functions.files.baseURL = url
        } else if let url = listeners.urls.first {
            functions.files.baseURL = "http\(url.dropFirst("ws".count))"
        }
    }

    private func beginSharing(_ authenticator: Authenticator) throws {
        if let hub = configuration.sharing.hub { try use(hub, authenticator) }
        usePeers()
    }

    private func beginRetention() {
        guard let policy = configuration.log.retention else { return }
        logCare.retain(policy, registry, services) { [unowned functions] in
            functions.forgot($0)
        } forgetFiles: { [unowned functions] in
            functions.files.forget(before: $0)
        }
    }

    /// Does what the line with `ready` need not wait for. Call this before the loop runs.
    package func finishStart() {
        if configuration.agents.areAllowed {
            agents.groups = AgentGroups.prepare(isDelegated: configuration.agents.hasDelegatedGroup)
        }
        orLog("syncing the token") { () throws(SystemError) in try ownToken.settle() }
        startSearch()
    }

    private func startSearch() {
        guard configuration.log.isSearchable else { return SessionFinder.removeIndex(configuration.home.searchIndex) }
        functions.finder = orLog("starting the search") {
            try SessionFinder(path: configuration.home.searchIndex, registry: registry, services: services)
        }
        if let hubLog = logCare.hubLog {
            functions.finder?.searchOthers = { [unowned hubLog] in hubLog.search($0, then: $1) }
        }
    }

    /// The log, with the sessions of other bridges if the bridge shows them.
    private static func log(
        _ opening: SessionLogClient.Opening, _ configuration: BridgeConfiguration, _ services: LoopServices
    ) throws -> any LogClient {
        let own = try SessionLogClient(opening, services: services)
        if let hub = configuration.sharing.hub, configuration.sharing.readsHub {
            return try HubLog(hub, own: own, services: services)
        }
        guard !configuration.sharing.peers.isEmpty else { return own }
        return PeerLog(
            configuration.sharing.peers, version: configuration.program.version, own: own, services: services)
    }

    private func usePeers() {
        functions.bridgeName = HubSettings.machineName
        let peers = logCare.share(
            registry, services,
            PeerBridges.Changes { [unowned functions] session in
                functions.noteFollowed(session)
            } listed: { [unowned functions] in
                functions.noteListed()
            } pending: { [unowned functions] in
                functions.notePending()
            })
        // A bridge with peers shows no sessions of a hub.
        if let peers { functions.otherBridges = peers }
    }

    private func use(_ hub: HubSettings, _ authenticator: Authenticator) throws {
        if configuration.sharing.shipsToHub {
            if configuration.sharing.confirmsAtHub { registry.confirmed = ConfirmedPositions() }
            try logCare.ship(registry, to: hub, in: configuration.home, services)
            if configuration.sharing.sharesSearch { try logCare.shareSearch(registry, at: hub, services) }
            receiveCommands(hub.commands, authenticator)
        }
        guard configuration.sharing.readsHub else { return }
        authenticator.keepsTokens = true
        functions.otherBridges = try logCare.follow(registry, at: hub, services) { [unowned functions] session in
            functions.noteFollowed(session)
        } listed: { [unowned functions] in
            functions.noteListed()
            functions.notePending()
        }
    }

    private func receiveCommands(_ policy: CommandPolicy, _ authenticator: Authenticator) {
        let received = ReceivedCommands(
            policy: policy, functions: functions, registry: registry, authenticator: authenticator, services: services)
        logCare.hub?.commands.perform = { received.perform($0, then: $1) }
        logCare.hub?.commands.openRequests = { [agents = functions.agents] in
            agents.openRequests(limitBytes: HubRequests.limitBytes)
        }
    }

    /// Takes over the previous program's lock, or takes the lock on the home.
    private static func lock(
        _ configuration: BridgeConfiguration, _ handOver: HandOver?, _ time: any TimeSource
    ) throws -> FileLock {
        if let handOver { return FileLock(adopting: handOver.lock) }
        do throws(FileLock.Failure) {
            return try acquireLock(configuration, time)
        } catch {
            switch error {
            case .held(let pid): throw BridgeStartError.alreadyRunning(pid: pid, home: configuration.home.runtime)
            case .system(let error): throw error
            }
        }
    }

    /// Takes the bridge's lock. A bridge that was started on demand waits if another bridge is about to end.
    private static func acquireLock(
        _ configuration: BridgeConfiguration, _ time: any TimeSource
    ) throws(FileLock.Failure) -> FileLock {
        let deadline = time.now + (configuration.listening.waitsForPredecessor ? lockPatience : .zero)
        while true {
            do throws(FileLock.Failure) {
                return try FileLock(path: configuration.home.daemonLock)
            } catch {
                guard case .held = error, time.now < deadline else { throw error }
                usleep(10_000)
            }
        }
    }

    /// Connects the parts: sets the callbacks for ends and changes.
    private func connect() {
        functions.host = self
        notifier.isGoodToken = { [unowned self] in
            functions.tokens.isGood($0, at: services.time.dateMilliseconds)
        }
        notifier.onRegistrations = { [unowned self] in functions.queries.touch(.registrations) }
        registry.onCompleted = { [unowned self] in leaveIfDone() }
        registry.onChange = { [unowned self] session, change in
            // Each use of an unowned reference is checked, so it is read once.
            let bridge = self
            if case .entry(let kind, let body) = change {
                bridge.activity.noted(kind, body, of: session)
                return bridge.notifier.noted(kind.rawValue, body, of: bridge.notified(session))
            }
            if case .workEnded(let outcome) = change { return bridge.activity.workEnded(outcome, of: session) }
            bridge.functions.noteChange(of: session, change)
            bridge.logCare.hub?.noteChange(of: session, change)
            if change == .facts { bridge.activity.changed(session) }
        }
        functions.onImport = { [unowned self] in logCare.hub?.noteChange(sid: $0, $1) }
        agents.onChange = { [unowned self] in
            functions.queries.touch(.agents)
            activity.changed(agents.runs)
        }
        agents.onEnd = { [unowned self] in leaveIfDone() }
        clients.onClose = { [unowned self] in leaveIfDone() }
        server.health = { [unowned self] in healthReport }
        server.metrics = { [unowned self] in Array(metricsText.utf8) }
    }

    private var notifier: Notifier { server.notifier }

    private func notified(_ session: Session) -> NotifiedSession {
        let url = configuration.access.publicAddress?.page(ofSession: session.id, journal: session.journal)
        return NotifiedSession(
            agent: session.agent, id: session.id, tenant: session.tenant, title: session.title, folder: session.cwd,
            url: url, incarnation: Journal(session.journal)?.incarnation, incarnations: registry.lineage(of: session))
    }

    /// The faults with which the bridge runs, one or a few sentences for each.
    var warnings: [String] {
        logCare.warnings.all + agents.restarts.warnings + registry.repeatedSessionWarnings
            + (logCare.peers?.warnings ?? [])
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
        DiagnosticLog.daemon.record(.stopping)
        upgrader.stop()
        agents.isClosed = true
        listeners.close()
        logCare.closeFiles()
        server.close()
        for shim in Array(clients.shims.values) { shim.endUnlessRunning() }
        for run in agents.runs { run.end() }
        services.timers.schedule(after: Self.editorPatience) { [self] in
            for run in agents.runs { run.editorGone() }
        }
        services.timers.schedule(after: Self.stopPatience) { [self] in leave() }
        leaveIfDone()
    }

    private func leaveIfDone() {
        guard isStopping, agents.runs.isEmpty, isAllStored else { return }
        if let hub = logCare.hub, !hub.isDrained { return hub.drain { [self] in leaveIfDone() } }
        guard activity.isDrained else { return activity.drain { [self] in leaveIfDone() } }
        for connection in Array(clients.connections.values) { connection.goAway() }
        server.finish { [self] in leaveIfDone() }
        if clients.connections.isEmpty, server.isFinished { leave() }
    }

    private func leave() {
        notifier.flush()
        logCare.stopRetention()
        functions.finder?.close()
        functions.files.close()
        logCare.closeHub()
        registry.log.close()
        audit.anchor()
        DiagnosticLog.daemon.record(.stopped)
        EventLoop.main.stop()
    }

    private var isAllStored: Bool { registry.live.all.allSatisfy(\.isComplete) }
}

extension Upgrader.Requests {
    fileprivate init(_ server: HTTPServer) {
        self.init { [unowned server] in
            server.hasRequests
        } endConnections: { [unowned server] in
            server.endConnections()
        } keepConnections: { [unowned server] in
            server.keepConnections()
        }
    }
}

extension Bridge: FunctionHost {
    package var connectionsByToken: [String: Int] { clients.connectionsByToken }

    package func dismissExpired() {
        clients.dismissExpired()
        notifier.endExpiredSubscriptions()
    }

    package func viewed(_ session: Session) { notifier.viewed(notified(session)) }

    package func mute(_ session: Session, _ isMuted: Bool, by identity: Identity) throws(Rejection) {
        guard notifier.hasTargets else { throw .noTargets }
        guard let incarnation = Journal(session.journal)?.incarnation else { throw SessionRegistry.unreadable }
        do throws(SystemError) {
            try notifier.mute(incarnation, isMuted, tenant: identity.tenant)
        } catch {
            throw Rejection(.mutationFailed, "the mute could not be stored: \(error)", rpcCode: .internalError)
        }
    }

    package func isMuted(_ session: Session, tenant: String?) -> Bool? {
        guard notifier.hasTargets, session.home == nil else { return nil }
        return Journal(session.journal).map { notifier.isMuted($0.incarnation, tenant: tenant) }
    }

    package func testNotifications(
        of registration: String?, by identity: Identity, then finish: @escaping CompletionHandler
    ) {
        let pageURL = configuration.access.publicAddress.map { $0.url + "/" }
        guard let registration else {
            guard notifier.hasTargets else { return finish(.failure(.noTargets)) }
            return notifier.test(pageURL: pageURL) { results in
                finish(.success(FunctionResponse(result: NotificationTest.json(results))))
            }
        }
        let own = notifier.registrations(of: nil).first {
            $0.id == registration && identity.owns(tokenId: $0.tokenId, tenant: $0.tenant)
        }
        guard let own else {
            let result = NotificationTest.json(failure: "this client has no such registration")
            return finish(.success(FunctionResponse(result: result)))
        }
        notifier.test(own, pageURL: pageURL) { results in
            let isServed = !results.isEmpty
            let failure = isServed ? results.compactMap(\.failure).first : "no target of the bridge serves it"
            finish(.success(FunctionResponse(result: NotificationTest.json(failure: failure))))
        }
    }

    package func pushRegistrations(of tenant: String?) -> [UInt8] {
        JSONWriter.object { writer in
            writer.memberArray("data") { writer in
                for registration in notifier.registrations(of: tenant) { writer.element(raw: registration.json) }
            }
        }
    }

    package func changePushRegistration(
        _ mutation: MutationName, _ arguments: Parameters, by identity: Identity
    ) throws(Rejection) -> [UInt8] {
        guard mutation == .pushRegister else {
            let id = try arguments.string("id")
            let isEnded = notifier.unsubscribe(id) { identity.owns(tokenId: $0.tokenId, tenant: $0.tenant) }
            return JSONWriter.object { $0.member("unregistered", isEnded) }
        }
        let registration = try PushSubscription(
            arguments, notifier.settings, tokenId: identity.tokenId, tenant: identity.tenant)
        try notifier.subscribe(registration)
        return JSONWriter.object { $0.member("id", registration.id) }
    }

    package func replace(
        _ arguments: Parameters, by identity: Identity, then finish: @escaping CompletionHandler
    ) throws(Rejection) {
        try upgrader.replace(arguments, by: identity, then: finish)
    }
}

extension Rejection {
    fileprivate static let noTargets = Rejection(
        .mutationFailed,
        """
        the bridge has no target of notifications: see `acpbridge help notify`; it reads the file of the rules at its \
        start, or when `acpbridge serve --replace` replaces it
        """, rpcCode: .invalidRequest)
}

/// The reason why a bridge cannot start, as a message to the user who started it.
package enum BridgeStartError: Error, CustomStringConvertible {
    case alreadyRunning(pid: pid_t?, home: String)
    case portInUse(host: String, port: UInt16)

    package var description: String {
        switch self {
        case .alreadyRunning(let pid, let home):
            """
            a bridge is already running\(pid.map { " (process \($0))" } ?? "") on \(home); \
            `acpbridge serve --replace` replaces it and keeps its agents, and `acpbridge stop` ends both
            """
        case .portInUse(let host, let port):
            "\(host):\(port) is in use; choose another with --listen HOST:PORT (`:0` takes a free one), or --no-tcp"
        }
    }
}
