import ACPMethods
import ACPRouting
import Access
import AgentProcess
import Agents
import Connections
import Diagnostics
import EventLoop
import Functions
import HTTP1
import JSONRPC
import JSONScan
import Resumption
import SessionStreams
import Tinyvex
import WebSocket

/// The bridge, reduced to the members that the connection of a client needs.
@LoopActor protocol ClientHost: RemoteClientHost {
    var services: ClientServices { get }
    /// Answers the requests of all clients on `/tinyvex`.
    var requests: ConnectionRequests { get }
    /// Request queues that wait for a later turn of the event loop.
    var waitingRequests: SlicedWork { get }
    /// Called once, after the connection has closed.
    func connectionClosed(_ connection: ClientConnection)
}

/// One client on `/tinyvex` or `/acp`. Its requests are handled one after another, and its subscriptions run in
/// parallel. Its ACP messages go to its agents.
@LoopActor package final class ClientConnection: StreamConnection {
    let id: String
    /// The sessions to which the audit log has the client attached, by their places in the log. One client must not fill the
    /// audit log.
    private var attachedSids: Set<Int64> = []
    /// The client's identity, as far as the client has proved it, and its rights.
    private(set) var identity: Identity
    /// True if the client can assemble large values from chunks.
    package var takesChunks = false
    /// The transport's writer. It is stored here because streams ask for it with each chunk.
    package let writer: ConnectionWriter
    package let streams: ClientStreams
    /// Receives the standard error of the client's own agent. Nil if the client does not take it.
    var errorText: (@LoopActor (UnsafeRawBufferPointer) -> Void)?
    private let transport: any ClientTransport
    private let host: any ClientHost
    private let wire: Wire
    private let address: RemoteClientAddress
    private lazy var remoteClient = RemoteClient(
        self, address: wire == .acp ? address.naming { host.agents.onlyAgent } : address, followsSessions: wire == .acp,
        host: host)
    private lazy var queue = RequestQueue(transport, waiting: host.waitingRequests) { [weak self] arrival in
        self?.receive(arrival)
    } turnEnded: { [weak self] in
        if let self, self.writer.hasFailed { self.close() }
    }
    /// Non-nil if the bridge is stopping.
    private var goodbye: Goodbye?
    private var isGone = false
    /// True if an ACP message was received on this connection.
    private var speaksACP = false

    /// The protocol of a connection.
    package enum Wire {
        /// The bridge's own protocol, together with ACP.
        case tinyvex
        /// ACP only, as its RFD "Streamable HTTP & WebSocket Transport" specifies.
        case acp
    }

    init(
        _ transport: any ClientTransport, id: String, identity: Identity, wire: Wire, address: RemoteClientAddress,
        host: any ClientHost
    ) {
        self.id = id
        self.wire = wire
        self.address = address
        self.identity = identity
        self.host = host
        self.transport = transport
        writer = transport.writer
        streams = ClientStreams(writer)
    }

    /// Starts to read. Returns false if the event loop cannot watch the socket.
    func start() -> Bool { transport.start(self) }

    // MARK: Sending

    package func send(_ message: [UInt8]) { transport.send(message) }

    /// Sends a notice about a stream. Notices belong to the bridge's own protocol and are not sent to an ACP-only
    /// client.
    package func notify(_ notice: [UInt8]) {
        if wire == .tinyvex { send(notice) }
    }

    /// Sends a part of an agent's standard error, unless the client has not read enough of the earlier messages.
    func send(errorText text: UnsafeRawBufferPointer) {
        if !writer.isOverControlLimit { send(ErrorText.message(text)) }
    }

    package func reachedAnEnd() { goodbye?.streamReachedEnd() }

    package func removeSubscription(_ subId: String) -> Bool { streams.remove(subId) }

    func checkAlive(within limit: Duration) { transport.checkAlive(within: limit) }

    /// Milliseconds since 1970.
    private var serverTs: Int64 { host.services.loop.time.dateMilliseconds }

    // MARK: The end

    func close() {
        guard !isGone else { return }
        isGone = true
        DiagnosticLog.daemon.record(.clientClosed(id: id, reason: closeReason))
        queue.close()
        streams.closeAll()
        transport.drop()
        if speaksACP { remoteClient.close() }
        host.connectionClosed(self)
    }

    private var closeReason: StaticString {
        if goodbye != nil { return "the bridge is stopping" }
        return transport.isOpen ? "the connection was lost" : "closed in order"
    }

    /// Called when the bridge is stopping. A client that reads receives the ends of its streams first, even if they
    /// must still come from the log.
    package func goAway() {
        guard transport.isOpen, goodbye == nil else { return }
        let goodbye = Goodbye(timers: host.services.loop.timers) { [weak self] in
            self?.streams.areAtEnd == true
        } announce: { [weak self] in
            self?.transport.close(.goingAway, "the bridge is stopping")
        }
        self.goodbye = goodbye
        goodbye.begin(patience: WebSocketPeer.closingPatience)
    }

    /// Closes because another program replaces this one. A client that reconnects reaches the new program.
    package func leaveForUpgrade() {
        transport.close(.serviceRestart, "the bridge is being replaced; connect again")
    }

    /// Closes because the identity that admitted the client is no longer valid.
    func dismiss() {
        identity = .nobody
        transport.close(.policyViolation, "the token was revoked or has expired")
    }

    package func closeAfterFailure() { transport.close(.internalError, "the log could not be read") }

    /// The client's own agent.
    var ownAgent: AgentRun? { speaksACP ? remoteClient.places.own?.run : nil }

    /// True once for each session and identity.
    func isFirstAttachment(to session: Session) -> Bool {
        guard let sid = session.sid else { return true }
        if attachedSids.count >= Self.attachedLimit { attachedSids = [] }
        return attachedSids.insert(sid).inserted
    }

    private static let attachedLimit = 10_000

    // MARK: Rights

    /// Replaces the client's identity. Ends the streams that the new identity cannot see.
    func replaceIdentity(with identity: Identity) {
        if identity.who != self.identity.who { attachedSids = [] }
        self.identity = identity
        if speaksACP, identity.session != nil { return dismiss() }
        if speaksACP { remoteClient.leaveWhatIsNotSeen() }
        for stream in streams.byId.values where identity.session != nil || !identity.maySee(tenant: stream.tenant) {
            var rejection = Rejection(
                .unauthorized, "the subscription has ended, because the connection's rights have changed")
            rejection.subId = stream.subId
            _ = streams.remove(stream.subId)
            send(rejection.notification(serverTs: serverTs))
        }
    }

    // MARK: Hand-over

    /// The hand-over state for the next program; nil while a request or an update is in transit.
    var remoteClientState: RemoteClient.HandedOver? {
        guard writer.isEmpty, queue.isIdle, streams.areAtEnd else { return nil }
        return remoteClient.handedOver(following: streams.sessions)
    }

    /// True while the client has not received all answers to its requests, or updates of its own agent's turn.
    var awaitsAnswer: Bool {
        !writer.isEmpty || !queue.isIdle || !streams.areAtEnd || remoteClient.awaitsAnswer
    }

    /// True if the client is a stdio shim on this machine. It continues with its agent after a hand-over.
    package var isOfShim: Bool { address.launch != nil }

    func restoreRemoteClient(from state: RemoteClient.HandedOver) {
        speaksACP = state.hasInitialized
        remoteClient.restore(state)
    }

    // MARK: Messages

    private func receive(_ arrival: Arrival) {
        switch arrival {
        case .text(let text): receive(text: text)
        case .binary:
            // The RFD of `/acp` requires that binary messages are ignored.
            if wire == .tinyvex { transport.close(.unsupportedData, "messages are text") }
        case .control, .closing: break
        }
    }

    private func receive(text: [UInt8]) {
        do throws(JSONSyntaxError) {
            handle(try JSONValue(validating: text))
        } catch {
            if isBeforeInitialize { return transport.close(.invalidPayload, error.description) }
            refuse(.parseError, error.description)
        }
    }

    private func handle(_ value: JSONValue) {
        let message = Message(value)
        guard !isBeforeInitialize || Self.isInitialize(message) else {
            return transport.close(.protocolError, "the first message must be initialize")
        }
        switch message {
        // Some programs write notifications with an id.
        case .request(.null, let method, let params) where RequestRouter.isNotification(method):
            handleNotification(method, params)
        case .request(let id, let method, let params): handleRequest(id, method, params)
        case .notification(let method, let params): handleNotification(method, params)
        case .response(let id, _):
            if speaksACP { remoteClient.respond(id, Reply(value)) }
        case .batch:
            refuse(.invalidRequest, "batches are not supported")
        case .invalid(let reason, let id):
            refuse(.invalidRequest, reason.rawValue, id: id ?? .null)
        }
    }

    private var isBeforeInitialize: Bool { wire == .acp && !speaksACP }

    private static func isInitialize(_ message: Message) -> Bool {
        if case .request(_, ACPMethod.initialize.name, _) = message { true } else { false }
    }

    private func isForAgents(_ method: String) -> Bool { wire == .acp || !method.hasPrefix("tinyvex/") }

    private func handleRequest(_ id: RequestID, _ method: String, _ params: JSONValue?) {
        guard isForAgents(method) else { return answer(id, method, params) }
        // An agent has other sessions, and ACP has requests without a session.
        guard identity.session == nil else { return complete(id, .failure(SharedSession.refusal)) }
        speaksACP = true
        remoteClient.handle(RemoteClient.Request(id: id, method: method, params: params))
    }

    /// Of our own methods only a ping is useful without an id.
    private func handleNotification(_ method: String, _ params: JSONValue?) {
        guard !isForAgents(method) else {
            guard identity.session == nil else { return }
            speaksACP = true
            return remoteClient.notify(method, params)
        }
        guard method == ClientRequest.Method.ping.rawValue else { return }
        send(ServerNotification.pong(t: Parameters(params).value("t")))
    }

    private func refuse(_ code: ErrorCode, _ message: String, id: RequestID = .null) {
        send(Rejection(code, message).response(to: id, serverTs: serverTs))
    }

    // MARK: Requests

    private func answer(_ id: RequestID, _ method: String, _ params: JSONValue?) {
        do throws(Rejection) {
            let request = try ClientRequest.decode(method: method, params: params)
            let release = queue.hold()
            host.requests.answer(request, for: self, placed: release) { [self] result in
                complete(id, result)
                release()
            }
        } catch {
            complete(id, .failure(error))
        }
    }

    /// Sends the answer before any other message that results from the request.
    private func complete(_ id: RequestID, _ result: Result<FunctionResponse, Rejection>) {
        guard transport.isOpen else { return }
        switch result {
        case .success(let response):
            send(MessageText.response(id: id, rawResult: response.result))
            response.afterwards()
        case .failure(let rejection):
            send(rejection.response(to: id, serverTs: serverTs))
        }
    }
}

extension ClientConnection: TransportOwner {
    package var takesMessages: Bool { queue.isIdle }

    package func messagesArrived(through transport: any ClientTransport) { queue.run() }

    package func hasRoom(in transport: any ClientTransport) { queue.run() }

    package func willClose(_ transport: any ClientTransport) { streams.endAll() }

    package func closed(_ transport: any ClientTransport) { close() }
}

extension ClientConnection: RemoteClientConnection {
    func updateReader(of session: any LineSession) -> (any UpdateReader)? {
        (session as? Session).flatMap { streams.history(of: $0) ?? streams.reader(of: $0) }
    }

    func sendHistory(of session: Session, addsPrompts: Bool, then action: @escaping @LoopActor (Int64) -> Void) {
        removeReader(of: session)
        let history = HistoryStream(
            subId: streams.makeHistoryName(), session: session, addsPrompts: addsPrompts, connection: self,
            registry: host.services.registry, finished: action)
        streams.add(history)
    }

    func removeReader(of session: Session) {
        if let reader = streams.reader(of: session) { _ = streams.remove(reader.subId) }
    }

    func addReader(of session: Session, from next: Int64, prepare: (any UpdateReader) -> Void) {
        let reader = Subscription(
            subId: "acp:\(session.id)", stream: .updates, session: session, next: next, connection: self,
            registry: host.services.registry)
        prepare(reader)
        streams.add(reader)
    }

    /// Closes because the client's agent has ended. The reason contains the agent's exit status or signal.
    func closeAfterAgent(_ status: TerminationStatus) { transport.close(.internalError, status.closeReason) }

    func agentWroteError(_ text: UnsafeRawBufferPointer) { errorText?(text) }

    /// Closes because the agent does not read what this client sends.
    func closeBeforeSlowAgent() { transport.close(.tryAgainLater, "too many bytes wait for the agent to read them") }

    /// Closes because the client requests more data than it reads.
    func closeSlowClient() { transport.close(.tryAgainLater, "too many bytes wait for this client to read them") }
}

extension Session: LineSession {}

extension Subscription: UpdateReader {}

extension HistoryStream: UpdateReader {}
