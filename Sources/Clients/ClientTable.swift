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
    package let limits: Limits
    package let registry: SessionRegistry
    package let agents: AgentPool
    let functions: Functions
    package let audit: AuditLog
    let connectionCount: ConnectionCount
    /// The id of the user who runs the bridge.
    let user: UInt32
    package private(set) var connections: [ObjectIdentifier: TinyvexConnection] = [:]
    package private(set) var fronts: [ObjectIdentifier: FrontLink] = [:]
    package var relays = Relays()
    /// Called after a connection has closed.
    package var onClose: @LoopActor () -> Void = {}
    private let authenticator: Authenticator
    private let version: String
    /// Clients with requests that wait for a later turn of the event loop.
    let waitingRequests = SlicedWork<TinyvexConnection> { $0.handleNext() }
    private var heartbeat: Timer?
    private lazy var expiryWatch = ExpiryWatch { [unowned self] in dismissExpired() }

    /// The interval between pings to each client.
    private static let heartbeatInterval = Duration.seconds(15)
    /// A client that is silent for this long is disconnected.
    private static let silenceLimit = Duration.seconds(120)

    package init(
        limits: Limits, registry: SessionRegistry, agents: AgentPool, functions: Functions, audit: AuditLog,
        authenticator: Authenticator, connectionCount: ConnectionCount, user: UInt32, version: String
    ) {
        self.limits = limits
        self.registry = registry
        self.agents = agents
        self.functions = functions
        self.audit = audit
        self.authenticator = authenticator
        self.connectionCount = connectionCount
        self.user = user
        self.version = version
    }

    var requests: ConnectionRequests {
        ConnectionRequests(
            functions: functions,
            subscribing: Subscribing(registry: registry, functions: functions, audit: audit, limits: limits),
            authenticator: authenticator, audit: audit, version: version
        ) { [unowned self] in expiryWatch.watch($0.expiresTs) }
    }

    // MARK: Connections

    @discardableResult
    package func addConnection(
        _ stream: consuming ByteStream, deflate: PermessageDeflate? = nil, remainder: [UInt8], id: String,
        identity: Identity, wire: TinyvexConnection.Wire, address: GuestAddress, permit: ConnectionPermit
    ) -> TinyvexConnection {
        let connection = TinyvexConnection(
            stream: stream, deflate: deflate, remainder: remainder, id: id, identity: identity, wire: wire,
            address: address, permit: permit, clients: self)
        connections[ObjectIdentifier(connection)] = connection
        if heartbeat == nil { scheduleHeartbeat() }
        audit.record(.connected(path: wire == .acp ? "/acp" : "/tinyvex"), by: identity, connection: connection.id)
        expiryWatch.watch(identity.expiresTs)
        if !connection.start() { connection.close() }
        return connection
    }

    func connectionClosed(_ connection: TinyvexConnection) {
        connections[ObjectIdentifier(connection)] = nil
        onClose()
    }

    /// Schedules the next heartbeat. The timer runs only while a client is connected, so that an idle bridge sleeps.
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

    // MARK: Rights

    /// The number of open connections that were admitted with each token.
    package var connectionsByToken: [String: Int] {
        connections.values.reduce(into: [:]) { counts, connection in
            if let id = connection.identity.tokenId { counts[id, default: 0] += 1 }
        }
    }

    /// Closes the connections with an expired or revoked identity.
    package func dismissExpired() {
        let now = wallClockMilliseconds()
        for connection in Array(connections.values) {
            if authenticator.isGood(connection.identity, at: now) {
                expiryWatch.watch(connection.identity.expiresTs)
            } else {
                connection.dismiss()
            }
        }
    }

    // MARK: Stdio shims

    package func addFront(
        _ stream: consuming ByteStream, descriptors: [Int32], remainder: [UInt8], permit: ConnectionPermit
    ) {
        let front = FrontLink(stream: stream, descriptors: descriptors, permit: permit, clients: self)
        fronts[ObjectIdentifier(front)] = front
        front.start(remainder: remainder)
    }

    func frontClosed(_ front: FrontLink) { fronts[ObjectIdentifier(front)] = nil }

    /// Serves a stdio shim as a client of `/acp`. The client's own agent is the agent that the shim asks for.
    @discardableResult
    func addGuestFront(
        _ stream: consuming ByteStream, _ request: LaunchRequest, permit: ConnectionPermit
    ) -> TinyvexConnection {
        var address = GuestAddress()
        address.launch = request
        return addConnection(
            stream, remainder: [], id: RandomText.uuid() ?? "", identity: .localUser(user), wire: .acp,
            address: address, permit: permit)
    }

    // MARK: Hand-over

    /// Adopts a stdio shim from the program that ran before this one.
    package func adopt(_ state: FrontLink.State) {
        let front = FrontLink(state, clients: self)
        fronts[ObjectIdentifier(front)] = front
        front.start(remainder: [])
        guard let guest = state.guest else { return }
        do throws(SystemError) { try front.goOn(guest) } catch { front.close() }
    }

    /// Adopts a resumable connection from the program that ran before this one.
    package func adopt(_ state: GuestRelay.State) {
        let relay = GuestRelay(id: state.id, identity: state.identity, clients: self)
        relays.add(relay)
        do throws(SystemError) {
            try relay.goOn(state, permit: connectionCount.readmit())
        } catch {
            relay.giveWay()
        }
    }

    /// Notifies the stdio shim of an agent that the agent has ended.
    package func agentEnded(_ run: AgentRun, _ status: TerminationStatus) {
        fronts.values.first { $0.serves(run) }?.agentEnded(status)
    }
}
