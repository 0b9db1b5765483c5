import Access
import Clients
import Connections
import Diagnostics
import EventLoop
import Functions
import HTTP1
import NotificationDelivery
import Posix
import Tinyvex

/// Counts of the HTTP requests and refusals so far.
package struct Traffic {
    package internal(set) var requests = 0
    package internal(set) var refusals = 0
}

/// Serves HTTP on all listeners: admits connections, checks requests and passes upgraded connections to the clients.
@LoopActor package final class HTTPServer {
    /// The configuration of HTTP and of its upgrades.
    package struct Settings: Sendable {
        let limits: Limits
        let compression: Compression
        let allowedOrigins: Set<String>
        let usesTLS: Bool
        let publicAddress: PublicAddress?
        let forwardedFor: ForwardedFor

        /// - Parameters:
        ///   - usesTLS: The TCP listeners use TLS.
        ///   - publicAddress: The address at the proxy in front of the bridge; nil if it is not known.
        package init(
            limits: Limits, compression: Compression, allowedOrigins: Set<String>, usesTLS: Bool,
            publicAddress: PublicAddress?, forwardedFor: ForwardedFor
        ) {
            self.limits = limits
            self.compression = compression
            self.allowedOrigins = allowedOrigins
            self.usesTLS = usesTLS
            self.publicAddress = publicAddress
            self.forwardedFor = forwardedFor
        }
    }

    let services: LoopServices
    let clients: ClientTable
    let resources: HTTPResources
    package let connectionCount: ConnectionCount
    package private(set) var traffic = Traffic()
    package var health: @LoopActor () -> HealthReport = {
        HealthReport(version: "", uptimeSeconds: 0, isLogWritable: false, profiles: { [] })
    }
    /// Computes the text of `/metrics`.
    package var metrics: @LoopActor () -> [UInt8] = { [] }
    private let settings: Settings
    private let devices: DeviceResources
    let push: PushResources
    package var notifier: Notifier { push.notifier }
    private var headJudge: HeadJudge
    private var incoming: [ObjectIdentifier: IncomingConnection] = [:]
    private var idle = IdleConnections<ObjectIdentifier>()
    /// No further connection is accepted or upgraded, because the bridge is stopping.
    private(set) var isClosed = false
    /// Each answer ends its connection, because the bridge is stopping or another program replaces it.
    private(set) var endsConnections = false
    /// Called when no connection is left.
    private var onFinish: (@LoopActor () -> Void)?

    /// How long a bridge that ends waits for answers that are in progress: as long as for a WebSocket client that closes. Most answers
    /// take milliseconds, and a client that does not read its answer must not keep the bridge.
    package static var answerPatience: Duration { WebSocketPeer.closingPatience }

    package init(
        _ settings: Settings, admission: Admission, authenticator: Authenticator, clients: ClientTable,
        functions: Functions, connectionCount: ConnectionCount, notifier: Notifier, services: LoopServices = .main
    ) {
        self.settings = settings
        push = PushResources(notifier: notifier)
        devices = DeviceResources(authenticator: authenticator, functions: functions, time: services.time)
        resources = HTTPResources(
            functions: functions,
            files: FileResources(
                files: functions.files, usesTLS: settings.usesTLS, publicURL: settings.publicAddress?.url),
            time: services.time)
        self.services = services
        headJudge = HeadJudge(
            settings, admission: admission, authenticator: authenticator, files: resources.files, time: services.time)
        self.clients = clients
        self.connectionCount = connectionCount
    }

    var limits: Limits { settings.limits }

    /// The user of the bridge.
    var user: UInt32 { headJudge.user }

    var files: FileResources { resources.files }

    /// The largest body of a request. The body of an upload goes to the disk, and is not kept in memory.
    var bodyLimitBytes: @Sendable (RequestHead) -> Int {
        { [limits, settings] head in
            let head = settings.publicAddress?.local(head) ?? head
            return Route.isUpload(head) ? limits.fileBytes : limits.bodyBytes
        }
    }

    /// The head without the path of the public address.
    func local(_ head: RequestHead) -> RequestHead { settings.publicAddress?.local(head) ?? head }

    func local(_ request: Request) -> Request { Request(head: local(request.head), body: request.body) }

    var compression: Compression { settings.compression }

    // MARK: The end

    /// Refuses further connections and ends the present ones, each after the answers that are due.
    package func close() {
        isClosed = true
        endConnections()
    }

    /// Closes the kept connections that wait for a request. The next answer ends each of the others, and each new one.
    package func endConnections() {
        endsConnections = true
        for connection in Array(incoming.values) { connection.endUnlessInUse() }
    }

    /// Keeps connections again, because no other program replaces this one.
    package func keepConnections() { endsConnections = isClosed }

    /// Requests are arriving or being answered.
    package var hasRequests: Bool { incoming.values.contains(where: \.isInUse) }

    /// Calls `then` when the last connection ends, after ``answerPatience`` at the latest. Call after ``close()``. Further calls have no
    /// effect, nor has one after the end of all connections: see ``isFinished``.
    package func finish(then: @escaping @LoopActor () -> Void) {
        guard onFinish == nil else { return }
        onFinish = then
        services.timers.schedule(after: Self.answerPatience) { [self] in
            for connection in Array(incoming.values) { connection.close() }
        }
    }

    /// True after ``close()`` if no connection is left.
    package var isFinished: Bool { isClosed && incoming.isEmpty }

    // MARK: Connections

    package func accept(_ connection: consuming ByteStream, from peer: Peer) {
        guard !isClosed else { return }
        do throws(ConnectionCount.Refusal) {
            let permit = try admit(peer)
            let incoming = IncomingConnection(connection, peer: peer, permit: permit, server: self)
            self.incoming[ObjectIdentifier(incoming)] = incoming
            incoming.start()
        } catch {
            traffic.refusals += 1
            DiagnosticLog.daemon.record(.refused(status: 429, peer: peer.description))
            // Above the total limit the connection is closed without a response, because a response would cost the
            // resource that is scarce.
            if error == .tooManyFromAddress { answerTooMany(connection) }
        }
    }

    /// If the connections run short, those that wait for a further request are closed first: their clients can connect again.
    private func admit(_ peer: Peer) throws(ConnectionCount.Refusal) -> ConnectionPermit {
        let address = isProxy(peer) ? nil : peer.address
        do throws(ConnectionCount.Refusal) {
            return try connectionCount.admit(from: address, isLocal: peer.isLocal)
        } catch {
            let household = error == .tooManyFromAddress ? address?.household : nil
            let replaced =
                household.map { idle.longestWaiting(from: $0) } ?? idle.longestWaiting(forUnixSocket: peer.isLocal)
            for id in replaced { incoming[id]?.endIdle() }
            return try connectionCount.admit(from: address, isLocal: peer.isLocal)
        }
    }

    private func isProxy(_ peer: Peer) -> Bool { peer.address.map(settings.forwardedFor.trusts) == true }

    func noteIdle(_ connection: IncomingConnection) {
        let household = isProxy(connection.peer) ? nil : connection.peer.address?.household
        idle.insert(ObjectIdentifier(connection), from: connection.peer.isLocal ? .unixSocket : .network(household))
    }

    func noteBusy(_ connection: IncomingConnection) { idle.remove(ObjectIdentifier(connection)) }

    /// Sends a response without waiting for the request. It is not retried if the socket does not accept it.
    private func answerTooMany(_ connection: borrowing ByteStream) {
        let fields = answerFields(for: nil)
        fields.completing(fields.tooManyConnections).bytes().withUnsafeBytes { _ = connection.write($0) }
        connection.finishWriting()
    }

    /// The client of a trusted proxy, if the request names it; otherwise the peer itself.
    func client(_ head: RequestHead, from peer: Peer) -> Peer {
        guard let address = peer.address, settings.forwardedFor.trusts(address) else { return peer }
        return .network(settings.forwardedFor.client(head.headers.all(ForwardedFor.fieldName), from: address))
    }

    /// Counts the connection of a trusted proxy as one from the client that the proxy has named. Returns the answer if the client has too
    /// many connections.
    func refuse(_ permit: ConnectionPermit, from client: Peer, by peer: Peer, _ fields: AnswerFields) -> Response? {
        guard isProxy(peer), let address = client.address else { return nil }
        do throws(ConnectionCount.Refusal) {
            try permit.count(from: address)
            return nil
        } catch {
            traffic.refusals += 1
            DiagnosticLog.daemon.record(.refused(status: 429, peer: client.description))
            return fields.tooManyConnections
        }
    }

    func closed(_ connection: IncomingConnection) {
        idle.remove(ObjectIdentifier(connection))
        incoming[ObjectIdentifier(connection)] = nil
        if incoming.isEmpty { onFinish?() }
    }

    func noteRefusal() { traffic.refusals += 1 }

    // MARK: Requests

    func answer(
        _ request: Request, _ route: RequestRoute, for identity: Identity, then finish: @escaping HTTPCompletionHandler
    ) {
        switch route {
        case .metrics: finish(HTTPAnswer(response: metrics(for: identity)))
        case .health:
            // As for `agents:list`, a token for one session is not enough.
            let isAdmitted = identity.role != nil && identity.session == nil
            finish(HTTPAnswer(response: health().answer(isAdmitted: isAdmitted)))
        case .file(let id): files.answer(request.head, id, for: identity, then: finish)
        case .device(let route): finish(devices.answer(request, route, for: identity))
        case .push(let route): finish(push.answer(request, route, for: identity))
        case .resource(let route): resources.answer(request, route, for: identity, then: finish)
        }
    }

    /// The metrics concern the whole bridge, so a tenant cannot read them.
    private func metrics(for identity: Identity) -> Response {
        guard identity.tenant == nil, identity.session == nil, identity.role != nil else {
            return .text("These figures are about the whole bridge, which a tenant cannot see.", status: 403)
        }
        let headers = Headers([("Content-Type", "text/plain; version=0.0.4; charset=utf-8")])
        return Response(status: 200, headers: headers, body: metrics())
    }

    /// - Parameter head: Nil if it could not be read.
    func answerFields(for head: RequestHead?) -> AnswerFields {
        guard let head else { return AnswerFields(requestId: Self.freshId) }
        return AnswerFields(head, allowedOrigins: settings.allowedOrigins, freshId: Self.freshId)
    }

    private static var freshId: String { RandomText.hexadecimal(byteCount: 12) ?? "" }

    /// Checks a request's head: see ``HeadJudge``.
    func judge(_ head: RequestHead, from peer: Peer, client: Peer, _ fields: AnswerFields) -> HeadVerdict {
        traffic.requests += 1
        return headJudge.judge(head, from: peer, client: client, fields, health: health)
    }
}

extension AnswerFields {
    /// The limit of connections from the client of a proxy.
    fileprivate var tooManyConnections: Response {
        var response = error(429, "There are too many connections from this address.")
        response.headers.append("Retry-After", "10")
        return response
    }
}
