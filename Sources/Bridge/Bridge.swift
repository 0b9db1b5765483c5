import AgentProcess
import EventLoop
import Glibc
import HTTP1
import SessionLog
import Tinyvex
import WebSocket

/// The daemon: what listens, who is connected, which agents run, and the sessions they make.
@LoopActor public final class Bridge {
    let configuration: BridgeConfiguration
    let admission: Admission
    let authenticator: Authenticator
    let audit: AuditLog
    let registry: SessionRegistry
    let startedAt = wallClockMilliseconds()
    private(set) var runs: [AgentRun] = []
    private(set) var connections: [ObjectIdentifier: TinyvexConnection] = [:]
    var relays = Relays()
    private var incoming: [ObjectIdentifier: IncomingConnection] = [:]
    private(set) var fronts: [ObjectIdentifier: FrontLink] = [:]
    private(set) var listeners: [Listener] = []
    private var socketKeeper: SocketKeeper?
    private var logKeeper: LogKeeper?
    let connectionCount: ConnectionCount
    var requestRate: RequestRate
    var traffic = Traffic()
    private var heartbeat: Timer?
    private(set) lazy var expiryWatch = ExpiryWatch { [unowned self] in dismissExpired() }
    private let agentRecord: AgentRecordFile
    /// Processes of an earlier bridge's agents that were found, and ended.
    public let sweptCount: Int
    private(set) var isStopping = false
    /// It is about to make room for another program.
    var upgrade: Upgrade?
    private(set) var lock: FileLock
    let mutations = MutationQueue()
    private(set) lazy var views = SessionViews(log: registry.log)
    private(set) lazy var queries = QueryHub { [unowned self] key, params, finish in compute(key, params, then: finish)
    }
    private var retention: RetentionWatch?
    /// What a person should know while it lasts. See ``warn(_:_:)``.
    private var runningWarnings: [RunningWarning: String] = [:]
    /// With the ports that were taken: `127.0.0.1:7717`.
    private var tcpAddresses: [String] = []
    /// What TCP clients are shown; nil for a bridge without TLS.
    public let certificate: ServerCertificate?

    /// Pings go out this often, and a peer that has not been heard of for `silenceLimit` is given up.
    private static let heartbeatInterval = Duration.seconds(15)
    private static let silenceLimit = Duration.seconds(120)
    /// How long a stopping bridge waits for editors to take what their agents wrote: longer than an agent takes to end.
    private static let editorPatience = Duration.seconds(7)
    /// How long it waits in all, for a log that cannot be written and for clients that do not close.
    private static let stopPatience = Duration.seconds(10)
    private static let leftoverRounds = 5
    private static let leftoverPause = Duration.milliseconds(50)
    /// How long a bridge that is started on demand waits for one that is just ending.
    private static let lockPatience = Duration.seconds(15)

    /// What a person should know of the start: one sentence each.
    public var startWarnings: [String] {
        var warnings: [String] = []
        if let warning = certificate?.warning { warnings.append(warning) }
        if let damaged = registry.log.damaged {
            warnings.append(
                "The session log was damaged. It lies in \(damaged.path) now, and a new one was begun with the "
                    + "\(damaged.rescuedSessions) sessions that could be read of it.")
        }
        return warnings
    }

    /// Of each one sentence or a few, in ``RunningWarning``'s order.
    var warnings: [String] { RunningWarning.allCases.compactMap { runningWarnings[$0] } }

    /// Reports a fault that the bridge can live with, once for as long as it lasts.
    func warn(_ warning: RunningWarning, _ text: String) {
        if runningWarnings.updateValue(text, forKey: warning) == nil { configuration.warn(text) }
    }

    /// The fault is gone.
    func retract(_ warning: RunningWarning) { runningWarnings[warning] = nil }

    /// Takes the home for itself, opens the log and listens.
    ///
    /// - Parameter handOver: what the program before this one has left in this process: it is gone on with.
    public init(_ configuration: BridgeConfiguration, continuing handOver: HandOver? = nil) throws {
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
        if let handOver {
            agentRecord = AgentRecordFile(
                path: configuration.home.agentRecord, continuing: handOver.runs.map(\.record))
            sweptCount = 0
        } else {
            (agentRecord, sweptCount) = AgentRecordFile.open(path: configuration.home.agentRecord)
        }
        connectionCount = ConnectionCount(
            limit: configuration.limits.connections, perAddress: configuration.limits.connectionsPerAddress)
        requestRate = RequestRate(perMinute: configuration.limits.requestsPerMinute)
        let token = try AccessToken.load(path: configuration.home.token)
        admission = Admission(
            user: geteuid(), allowedOrigins: configuration.allowedOrigins,
            hosts: HostNames(configuration.allowedHosts))
        authenticator = Authenticator(
            own: token, file: TokenFile(configuration.home), issuers: configuration.issuers)
        audit = AuditLog(path: configuration.home.audit, limitBytes: configuration.limits.auditBytes)
        let log = try LogClient(path: configuration.home.log, durability: configuration.durability)
        registry = SessionRegistry(log: log, limits: configuration.limits)
        registry.audit = audit
        registry.onCompleted = { [unowned self] in leaveIfDone() }
        registry.onChange = { [unowned self] session, change in noteChange(of: session, change) }
        try listen(inheriting: handOver?.listeners ?? [])
        logKeeper = LogKeeper(configuration.home, registry.log)
        registry.log.filesRestored = { [unowned self] in putBack($0) }
        // Only now: see `TokenFile`.
        try authenticator.load()
        retention = configuration.retention.map { policy in
            RetentionWatch(policy, registry) { [unowned self] life in
                forgot(life)
            } clockWasChecked: { [unowned self] lead in
                checkedClock(lead: lead)
            }
        }
        if let handOver { goOn(with: handOver) }
    }

    /// One that is started on demand may find another just ending; it is given time to.
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

    // MARK: Listening

    private func listen(inheriting inherited: [HandOver.ListenerState]) throws {
        var inherited = inherited
        func take(_ address: String?) -> Descriptor? {
            guard let index = inherited.firstIndex(where: { $0.address == address }) else { return nil }
            return Descriptor(owning: inherited.remove(at: index).fd)
        }
        for address in configuration.listenAddresses { try listenOnTCP(address, take(address.description)) }
        try listenOnSocket(take(nil))
        // Of addresses that are not asked for any more.
        for listener in inherited { close(listener.fd) }
        socketKeeper = SocketKeeper(configuration.home) { [unowned self] in try restore() }
    }

    /// The socket was deleted or the lock, perhaps with all that was in their folder.
    private func restore() throws {
        let home = configuration.home
        try home.prepare()
        if access(home.daemonLock, F_OK) != 0 { lock = try FileLock(path: home.daemonLock) }
        if access(home.socket, F_OK) != 0 { try restoreSocket() }
    }

    private func restoreSocket() throws {
        let lost = listeners.filter { $0.address == nil }
        try listenOnSocket(nil)
        for listener in lost { listener.close() }
        listeners.removeAll { listener in lost.contains { $0 === listener } }
    }

    private func bindTCP(_ address: SocketAddress, _ host: String, _ port: UInt16) throws -> Descriptor {
        do throws(SystemError) {
            return try Sockets.listen(on: address)
        } catch {
            guard error.code == EADDRINUSE else { throw error }
            guard configuration.mayTakeAnotherPort else { throw BridgeStartError.portInUse(host: host, port: port) }
            return try Sockets.listen(on: .ip(host: host, port: 0))
        }
    }

    private func listenOnTCP(_ address: SocketAddress, _ inherited: consuming Descriptor?) throws {
        guard case .ip(let host, let port) = address else { return }
        let descriptor: Descriptor
        if let inherited { descriptor = inherited } else { descriptor = try bindTCP(address, host, port) }
        tcpAddresses.append(SocketAddress.ip(host: host, port: Sockets.localPort(of: descriptor)).description)
        listeners.append(
            try Listener(descriptor, address: address.description) { [unowned self] connection in
                Sockets.setNoDelay(connection.raw)
                let address = NetworkAddress(peerOf: connection.raw)
                if let stream = stream(on: connection) { accept(stream, from: .network(address)) }
            })
    }

    /// Nil when memory is out.
    private func stream(on connection: consuming Descriptor) -> ByteStream? {
        guard let certificate else { return ByteStream(connection) }
        return try? ByteStream(connection, accepting: certificate.context)
    }

    /// Where TCP clients connect: `wss://127.0.0.1:7717`.
    public var urls: [String] { tcpAddresses.map { (certificate == nil ? "ws://" : "wss://") + $0 } }

    /// The new socket takes the place of one that a killed bridge left, at once: clients never find none.
    private func listenOnSocket(_ inherited: consuming Descriptor?) throws {
        let descriptor: Descriptor
        if let inherited { descriptor = inherited } else { descriptor = try bindSocket() }
        listeners.append(
            try Listener(descriptor, address: nil) { [unowned self] connection in
                guard let user = Sockets.peerUser(of: connection.raw) else { return }
                accept(ByteStream(connection), from: .local(user: user))
            })
    }

    private func bindSocket() throws -> Descriptor {
        let path = configuration.home.socket
        let temporary = path + ".new"
        unlink(temporary)
        let descriptor = try Sockets.listen(on: .unix(path: temporary))
        guard rename(temporary, path) == 0 else { throw SystemError("rename \(path)") }
        return descriptor
    }

    private func accept(_ connection: consuming ByteStream, from peer: Peer) {
        guard !isStopping else { return }
        do throws(ConnectionCount.Refusal) {
            let permit = try connectionCount.admit(from: peer.address)
            let incoming = IncomingConnection(connection, peer: peer, permit: permit, bridge: self)
            self.incoming[ObjectIdentifier(incoming)] = incoming
            incoming.start()
        } catch {
            traffic.refusals += 1
            // Over the limit in all it is closed unanswered: an answer would cost what there is too little of.
            if error == .tooManyFromAddress { Self.answerTooMany(connection) }
        }
    }

    /// As well as it can be said without waiting for the request.
    private static func answerTooMany(_ connection: borrowing ByteStream) {
        let response = Response(
            status: 429, headers: Headers([("Retry-After", "10")]),
            body: Array("Too many connections come from this address.\n".utf8))
        response.bytes().withUnsafeBytes { _ = connection.write($0) }
        connection.finishWriting()
    }

    // MARK: Connections

    func incomingClosed(_ connection: IncomingConnection) {
        incoming[ObjectIdentifier(connection)] = nil
    }

    @discardableResult
    func addConnection(
        _ stream: consuming ByteStream, deflate: PermessageDeflate? = nil, remainder: [UInt8], id: String,
        identity: Identity,
        wire: TinyvexConnection.Wire, address: GuestAddress, permit: ConnectionPermit
    ) -> TinyvexConnection {
        let connection = TinyvexConnection(
            stream: stream, deflate: deflate, remainder: remainder, id: id, identity: identity, wire: wire,
            address: address, permit: permit, bridge: self)
        connections[ObjectIdentifier(connection)] = connection
        if heartbeat == nil { scheduleHeartbeat() }
        audit.record(.connected(path: wire == .acp ? "/acp" : "/tinyvex"), by: identity, connection: connection.id)
        expiryWatch.watch(identity.expiresTs)
        if !connection.start() { connection.close() }
        return connection
    }

    func connectionClosed(_ connection: TinyvexConnection) {
        connections[ObjectIdentifier(connection)] = nil
        leaveIfDone()
    }

    func addFront(
        _ stream: consuming ByteStream, descriptors: [Int32], remainder: [UInt8], permit: ConnectionPermit
    ) {
        let front = FrontLink(stream: stream, descriptors: descriptors, permit: permit, bridge: self)
        fronts[ObjectIdentifier(front)] = front
        front.start(remainder: remainder)
    }

    /// An agent and its front that the program before this one has joined.
    func adopt(_ run: AgentRun) { runs.append(run) }

    func adopt(_ front: FrontLink) {
        fronts[ObjectIdentifier(front)] = front
        front.start(remainder: [])
    }

    func agentLeft(_ run: AgentRun) {
        runs.removeAll { $0 === run }
        queries.touch(.agents)
        endLeftovers(of: run.record)
    }

    func frontClosed(_ front: FrontLink) {
        fronts[ObjectIdentifier(front)] = nil
    }

    /// Runs only while somebody is connected: an idle bridge sleeps.
    private func scheduleHeartbeat() {
        heartbeat = EventLoop.main.schedule(after: Self.heartbeatInterval) { [unowned self] in
            heartbeat = nil
            let now = Instant.now
            for connection in connections.values {
                if now - connection.lastHeard > Self.silenceLimit { connection.close() } else { connection.ping() }
            }
            if !connections.isEmpty { scheduleHeartbeat() }
        }
    }

    // MARK: Agents

    func launch(
        _ request: LaunchRequest, tenant: String? = nil, ended: @escaping @LoopActor (TerminationStatus) -> Void
    ) throws(SpawnError) -> AgentRun {
        guard !isStopping else { throw .failed(program: "acpbridge", reason: "the bridge is stopping; start it anew") }
        guard runs.count < configuration.limits.agents else {
            throw .failed(program: "acpbridge", reason: "the bridge runs \(runs.count) agents, which is the limit")
        }
        var spawn = SpawnRequest(
            command: request.command, directory: request.directory, environment: request.environment)
        spawn.fileModeMask = request.fileModeMask
        spawn.openFilesLimit = request.openFilesLimit
        let name = request.agent ?? AgentName.derive(from: request.command.map(\.description))
        let run = try AgentRun(
            name: name, tenant: tenant, request: spawn, stay: request.stay,
            permissionLimit: request.permissionLimit ?? configuration.permissionLimit, registry: registry
        ) {
            [weak self] run, status in
            self?.agentLeft(run)
            ended(status)
            self?.afterAgent()
        }
        agentRecord.started(run.record)
        runs.append(run)
        queries.touch(.agents)
        return run
    }

    /// What holds on to the streams of an agent that has ended is ended too: it left the agent's group, but did not let go
    /// as what is meant to live on does. What is killed may just have started another, so this is looked into again.
    private func endLeftovers(of agent: AgentRecord.Agent, round: Int = 1) {
        var record = AgentRecord(scope: "", seenTicks: 0)
        record.add(agent)
        let strays = ProcessTable.descendants(of: getpid(), sparing: Set(runs.map(\.pid)))
        let found = LeftoverSearch(record, pipes: ProcessTable.pipes).leftovers(among: strays)
        for process in found { ProcessTable.kill(process) }
        guard !found.isEmpty, round < Self.leftoverRounds else { return agentRecord.ended(pid: agent.pid) }
        EventLoop.main.schedule(after: Self.leftoverPause) { [weak self] in
            self?.endLeftovers(of: agent, round: round + 1)
        }
    }

    /// Keeps the note of when this bridge was last there near to now, while it costs next to nothing.
    func noteAlive() { agentRecord.noteAlive() }

    func afterAgent() {
        reapStrays()
        leaveIfDone()
    }

    /// Reaps what agents left behind. Agents themselves are reaped by their own descriptors: one that has not been yet
    /// hides the strays behind it, so this is done again when it has.
    public func reapStrays() {
        var info = siginfo_t()
        while waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 {
            let pid = info._sifields._sigchld.si_pid
            guard pid > 0, !runs.contains(where: { $0.pid == pid }) else { return }
            waitpid(pid, nil, WNOHANG)
            info = siginfo_t()
        }
    }

    private func putBack(_ paths: [String]) {
        retract(.logWasLost)
        warn(
            .logWasLost,
            "\(paths.joined(separator: ", ")): deleted, moved or replaced while the bridge ran. The log was put back with "
                + "all that was stored. To begin a new log, stop the bridge first.")
    }

    // MARK: The end

    /// Ends every agent as if its editor had gone, stores what is left, and lets everyone know.
    public func stop() {
        guard !isStopping else { return }
        isStopping = true
        for listener in listeners { listener.close() }
        listeners = []
        socketKeeper?.close()
        logKeeper?.close()
        unlink(configuration.home.socket)
        for connection in Array(incoming.values) { connection.end() }
        for front in Array(fronts.values) { front.endUnlessRunning() }
        for run in runs { run.end() }
        EventLoop.main.schedule(after: Self.editorPatience) { [self] in
            for run in runs { run.editorGone() }
        }
        EventLoop.main.schedule(after: Self.stopPatience) { [self] in leave() }
        leaveIfDone()
    }

    private func leaveIfDone() {
        guard isStopping, runs.isEmpty, isAllStored else { return }
        for connection in Array(connections.values) { connection.goAway() }
        if connections.isEmpty { leave() }
    }

    private func leave() {
        retention?.stop()
        registry.log.close()
        EventLoop.main.stop()
    }

    private var isAllStored: Bool { registry.live.allSatisfy(\.isComplete) }
}

/// Faults that a running bridge reports in `bridge:status`, and once to ``BridgeConfiguration/warn``.
enum RunningWarning: CaseIterable {
    /// For as long as the bridge runs.
    case logWasLost
    /// Sessions are kept for longer than ``RetentionPolicy/age``.
    case clockIsAhead
}

/// Why a bridge cannot start, said to the person who started it.
public enum BridgeStartError: Error, CustomStringConvertible {
    case alreadyRunning(pid: pid_t?, home: String)
    case portInUse(host: String, port: UInt16)

    public var description: String {
        switch self {
        case .alreadyRunning(let pid, let home):
            "a bridge is already running\(pid.map { " (process \($0))" } ?? "") on \(home); `acpbridge stop` ends it"
        case .portInUse(let host, let port):
            "\(host):\(port) is in use; choose another with --listen HOST:PORT (`:0` takes a free one), or --no-tcp"
        }
    }
}
