import Access
import AgentProcess
import Agents
import Connections
import EventLoop
import Functions
import HTTP1
import Posix
import SessionStreams
import Tinyvex
import WebSocket

/// All clients of the bridge: connections on `/tinyvex` and `/acp`, the stdio shims of editors, and resumable
/// connections.
@LoopActor package final class ClientTable {
    let services: ClientServices
    private let connectionCount: ConnectionCount
    /// The id of the user who runs the bridge.
    let user: UInt32
    package private(set) var connections: [ObjectIdentifier: ClientConnection] = [:]
    package private(set) var shims: [ObjectIdentifier: ShimConnection] = [:]
    package private(set) var resumableConnections = ResumableConnections()
    /// Called after a connection has closed.
    package var onClose: @LoopActor () -> Void = {}
    private let authenticator: Authenticator
    private let version: String
    /// Request queues that wait for a later turn of the event loop.
    let waitingRequests: SlicedWork
    private var heartbeat: Timer?
    /// Answers the requests of all clients on `/tinyvex`.
    private(set) lazy var requests = ConnectionRequests(
        functions: services.functions, subscribing: Subscribing(services), authenticator: authenticator,
        audit: services.audit, time: services.loop.time, version: version
    ) { [unowned self] in expiryWatch.watch($0.expiresTs) }
    private lazy var expiryWatch = ExpiryWatch { [unowned self] in dismissExpired() }

    /// The interval between pings to each client.
    private static let heartbeatInterval = Duration.seconds(15)
    /// A client that is silent for this long is disconnected.
    private static let silenceLimit = Duration.seconds(120)

    package init(
        _ services: ClientServices, authenticator: Authenticator, connectionCount: ConnectionCount, user: UInt32,
        version: String
    ) {
        self.services = services
        self.authenticator = authenticator
        self.connectionCount = connectionCount
        self.user = user
        self.version = version
        waitingRequests = SlicedWork(services.loop)
    }

    var agents: AgentPool { services.agents }

    var registry: SessionRegistry { services.registry }

    // MARK: Connections

    /// Serves a client over a WebSocket.
    ///
    /// - Parameters:
    ///   - remainder: bytes that the client sent directly after its handshake.
    ///   - peer: the client, for the audit log.
    package func addConnection(
        _ stream: consuming ByteStream, deflate: PermessageDeflate?, remainder: [UInt8], id: String,
        identity: Identity, wire: ClientConnection.Wire, address: RemoteClientAddress, from peer: Peer,
        permit: ConnectionPermit
    ) {
        let limit = wire == .acp ? services.limits.lineBytes : services.limits.messageBytes
        let transport = WebSocketPeer(
            stream, deflate: deflate, remainder: remainder, limits: MessageLimits(messageBytes: limit), permit: permit,
            turns: registry.turns, services: services.loop)
        addConnection(transport, id: id, identity: identity, wire: wire, address: address, from: peer)
    }

    @discardableResult
    private func addConnection(
        _ transport: any ClientTransport, id: String, identity: Identity, wire: ClientConnection.Wire,
        address: RemoteClientAddress, from peer: Peer? = nil
    ) -> ClientConnection {
        let connection = ClientConnection(
            transport, id: id, identity: identity, wire: wire, address: address, host: self)
        connections[ObjectIdentifier(connection)] = connection
        if heartbeat == nil { scheduleHeartbeat() }
        audit.record(
            .connected(path: wire == .acp ? "/acp" : "/tinyvex", address: peer?.address?.description), by: identity,
            connection: connection.id)
        expiryWatch.watch(identity.expiresTs)
        if !connection.start() { connection.close() }
        return connection
    }

    func connectionClosed(_ connection: ClientConnection) {
        connections[ObjectIdentifier(connection)] = nil
        onClose()
    }

    /// Schedules the next heartbeat. The timer runs only while a client is connected, so that an idle bridge sleeps.
    private func scheduleHeartbeat() {
        heartbeat = services.loop.timers.schedule(after: Self.heartbeatInterval) { [unowned self] in
            heartbeat = nil
            for connection in connections.values { connection.checkAlive(within: Self.silenceLimit) }
            if !connections.isEmpty { scheduleHeartbeat() }
        }
    }

    // MARK: Rights

    /// The number of open connections that were admitted with each token.
    package var connectionsByToken: [String: Int] {
        connections.values.reduce(into: [:]) { counts, connection in
            if let id = connection.identity.tokenId { counts[id, default: 0] += 1 }
        }
    }

    /// Closes the connections with an expired or revoked identity.
    package func dismissExpired() {
        let now = services.loop.time.dateMilliseconds
        for connection in Array(connections.values) {
            if authenticator.isGood(connection.identity, at: now) {
                expiryWatch.watch(connection.identity.expiresTs)
            } else {
                connection.dismiss()
            }
        }
    }

    // MARK: Stdio shims

    package func addShim(
        _ stream: consuming ByteStream, descriptors: [Int32], remainder: [UInt8], permit: ConnectionPermit
    ) {
        let shim = ShimConnection(stream: stream, descriptors: descriptors, permit: permit, host: self)
        shims[ObjectIdentifier(shim)] = shim
        shim.start(remainder: remainder)
    }

    func shimClosed(_ shim: ShimConnection) { shims[ObjectIdentifier(shim)] = nil }

    /// Serves a stdio shim as a client of `/acp`. The client's own agent is the agent that the shim asks for.
    func addEditor(_ transport: MessageTransport, _ request: LaunchRequest) -> ClientConnection {
        addConnection(
            transport, id: RandomText.uuid() ?? "", identity: .localUser(user), wire: .acp,
            address: RemoteClientAddress(launch: request))
    }

    /// Creates the transport of a client that exchanges messages with the bridge inside this process.
    func messageTransport() -> MessageTransport {
        MessageTransport(
            limits: MessageLimits(messageBytes: services.limits.lineBytes), turns: registry.turns,
            timers: services.loop.timers)
    }

    // MARK: Resumable connections

    /// Serves a new client of `/acp` with a resumable connection.
    package func openResumableConnection(
        id: String, identity: Identity, address: RemoteClientAddress, from peer: Peer? = nil, permit: ConnectionPermit
    ) -> ResumableConnection {
        let resumable = ResumableConnection(
            id: id, identity: identity, address: address, transport: messageTransport(), permit: permit,
            absenceLimit: services.limits.absence, services: services.loop
        ) { [unowned self] in resumableConnections.remove($0) }
        resumableConnections.add(resumable)
        let client = addConnection(
            resumable.transport, id: id, identity: identity, wire: .acp, address: address, from: peer)
        resumable.client = client
        if address.takesErrors == true { client.errorText = { [weak client] in client?.send(errorText: $0) } }
        return resumable
    }

    /// Creates a connection on which a client with a resumable connection continues.
    package func peer(
        _ stream: consuming ByteStream, deflate: PermessageDeflate?, remainder: [UInt8], permit: ConnectionPermit
    ) -> WebSocketPeer {
        WebSocketPeer(
            stream, deflate: deflate, remainder: remainder,
            limits: MessageLimits(messageBytes: services.limits.lineBytes), permit: permit, turns: registry.turns,
            services: services.loop)
    }

    // MARK: Hand-over

    /// Adopts a stdio shim from the program that ran before this one.
    package func adopt(_ state: ShimConnection.State) {
        let shim = ShimConnection(state, permit: connectionCount.readmit(), host: self)
        shims[ObjectIdentifier(shim)] = shim
        shim.start(remainder: [])
        guard let editor = state.editor else { return }
        do throws(SystemError) { try shim.restoreEditor(from: editor) } catch { shim.close() }
    }

    /// Adopts a resumable connection from the program that ran before this one.
    package func adopt(_ state: ResumableConnection.State) {
        openResumableConnection(
            id: state.id, identity: state.identity, address: state.address, permit: connectionCount.readmit()
        ).restore(state)
    }

    /// Notifies the stdio shim of an agent that the agent has ended.
    package func agentEnded(_ run: AgentRun, _ status: TerminationStatus) {
        shims.values.first { $0.serves(run) }?.agentEnded(status)
    }
}
