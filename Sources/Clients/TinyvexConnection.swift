import ACPRouting
import Access
import AgentProcess
import Connections
import EventLoop
import Functions
import HTTP1
import JSONRPC
import JSONScan
import Posix
import SessionStreams
import Tinyvex
import WebSocket

/// One client on `/tinyvex` or `/acp`. Its requests are handled one after another, and its subscriptions run in
/// parallel. Its ACP messages go to its agents.
@LoopActor package final class TinyvexConnection: PollHandler, StreamConnection {
    let id: String
    /// The client's identity, as far as the client has proved it, and its rights.
    private(set) var identity: Identity
    /// True if the client can assemble large values from chunks.
    package var takesChunks = false
    package let outbox: Outbox
    private let permit: ConnectionPermit
    package private(set) var subscriptions: [String: any OutgoingStream] = [:]
    /// The subscriptions that read a session, by session id.
    private var readers: [String: [Subscription]] = [:]
    /// The number of subscriptions that need all streams to be paced.
    private var pacedCount = 0
    /// The time when the peer last sent data, pongs included, or read data.
    private(set) var lastHeard = Instant.now
    private let clients: ClientTable
    private let wire: Wire
    private let address: GuestAddress
    private lazy var guest = GuestLink(self, address: address, followsSessions: wire == .acp, clients: clients)
    private let interest = Interest()
    private var machine: ConnectionMachine
    private var isGone = false
    /// A request is being handled. The next one waits, so that answers have the order of the requests.
    private var isBusy = false
    private var isHandling = false
    /// The client has sent more requests than one turn of the event loop can handle.
    private var isWaitingForTurn = false
    /// The bridge is stopping, and the client is disconnected after it has received all available data.
    private var isLeaving = false
    /// A check whether everything has been sent is scheduled for the loop's next turn.
    private var isEndExpected = false

    /// The protocol of a connection.
    package enum Wire {
        /// The bridge's own protocol, together with ACP.
        case tinyvex
        /// ACP only, as its RFD "Streamable HTTP & WebSocket Transport" specifies.
        case acp
    }

    /// The time from our close frame that the peer has to send its own and to end the stream.
    private static let closingPatience = Duration.seconds(2)

    /// - Parameter deflate: the negotiated compression of messages, if any.
    /// - Parameter remainder: bytes that the client sent directly after its handshake.
    init(
        stream: consuming ByteStream, deflate: PermessageDeflate?, remainder: [UInt8], id: String, identity: Identity,
        wire: Wire, address: GuestAddress, permit: ConnectionPermit, clients: ClientTable
    ) {
        self.id = id
        self.permit = permit
        self.wire = wire
        self.address = address
        self.identity = identity
        self.clients = clients
        let bounds = clients.limits
        let limits = MessageLimits(messageBytes: wire == .acp ? bounds.lineBytes : bounds.messageBytes)
        machine = ConnectionMachine(role: .server, limits: limits, deflate: deflate)
        let interest = self.interest
        outbox = Outbox(stream: stream, deflate: deflate?.server, turns: clients.registry.turns) { interest.changed() }
        remainder.withUnsafeBytes { machine.bytesArrived($0) }
    }

    /// Starts to read. Returns false if the event loop cannot watch the socket.
    func start() -> Bool {
        guard let watch = try? EventLoop.main.watch(outbox.fd, .readable, self) else { return false }
        interest.begin(watch, outbox: outbox) { [weak self] in self?.handleMessages() }
        handleMessages()
        return true
    }

    func close() {
        guard !isGone else { return }
        isGone = true
        interest.end()
        for subscription in takeSubscriptions() { subscription.close() }
        outbox.abandon()
        if speaksACP { guest.close() }
        clients.connectionClosed(self)
    }

    // MARK: Reading

    package func pollReady(_ watch: Watch, _ readiness: Readiness) {
        if readiness.contains(.writable) {
            // The peer reads data, so it is alive even if it has not reached our pings yet.
            lastHeard = .now
            outbox.becameWritable()
        }
        if !readiness.isDisjoint(with: [.readable, .hangup]) { read() }
        handleMessages()
        if outbox.hasFailed { close() }
    }

    private func read() {
        guard !isBusy, !isWaitingForTurn else { return interest.pauseReading() }
        switch outbox.read(into: EventLoop.main.readChunk) {
        case .bytes(let count):
            lastHeard = .now
            machine.bytesArrived(UnsafeRawBufferPointer(rebasing: EventLoop.main.readChunk[..<count]))
        case .wouldBlock: break
        case .endOfStream, .failed: close()
        }
    }

    private func handleMessages() {
        guard !isHandling, !isWaitingForTurn else { return }
        isHandling = true
        defer { isHandling = false }
        while mayHandle {
            guard clients.waitingRequests.hasTime else { return waitForTurn() }
            guard let action = machine.next() else { break }
            act(action)
        }
        if !isBusy { interest.resumeReading() }
    }

    private var mayHandle: Bool { !isGone && !isBusy && !outbox.isOverControlLimit }

    /// Waits for a later turn. One read can contain a thousand requests, so other clients' requests and the bytes of
    /// editors and agents are handled in between.
    private func waitForTurn() {
        isWaitingForTurn = true
        interest.pauseReading()
        clients.waitingRequests.add(self)
    }

    /// Handles one message, and the following ones if no other client waits.
    func handleNext() {
        isWaitingForTurn = false
        guard !isGone else { return }
        guard mayHandle, let action = machine.next() else { return isBusy ? () : interest.resumeReading() }
        isHandling = true
        act(action)
        isHandling = false
        handleMessages()
        if outbox.hasFailed { close() }
    }

    private func act(_ action: ConnectionMachine.Action) {
        switch action {
        case .deliverText(let message): handle(message)
        case .deliverBinary:
            // The RFD of `/acp` requires that binary messages are ignored.
            if wire == .tinyvex { beginClosing(.unsupportedData, "messages are text") }
        case .send(let frame): outbox.sendControl(frame)
        case .pongArrived(let payload): outbox.pongArrived(payload)
        case .sendClose(let frame): sendLast(frame)
        case .endTransport: outbox.finishWriting()
        }
    }

    private var isOpen: Bool { !isGone && machine.isOpen }

    private func beginClosing(_ code: CloseCode, _ reason: String) {
        guard !isGone, let frame = machine.close(code, reason: reason) else { return }
        sendLast(frame)
    }

    /// Sends a close frame after the data that is already queued. Then waits a limited time for the peer to close.
    private func sendLast(_ closeFrame: [UInt8]) {
        for subscription in takeSubscriptions() { outbox.end(subscription) }
        outbox.sendControl(closeFrame)
        EventLoop.main.schedule(after: Self.closingPatience) { [weak self] in self?.close() }
    }

    // MARK: Sending

    package func send(_ message: [UInt8]) {
        // A close frame must be the last frame.
        guard isOpen else { return }
        var frame: [UInt8] = []
        Frame.append(.text, message.span, to: &frame)
        outbox.sendControl(frame)
    }

    func ping() {
        if isOpen { outbox.sendControl(Frame.ping()) }
    }

    /// The hand-over state for the next program; nil while data is in transit.
    var guestState: GuestLink.HandedOver? {
        guard outbox.isEmpty, outbox.waitingBytes == 0, !isBusy, !isWaitingForTurn,
            subscriptions.values.allSatisfy(\.isAtEnd)
        else {
            return nil
        }
        let sessions = subscriptions.values.compactMap { ($0 as? Subscription)?.session }
        return guest.handedOver(following: sessions)
    }

    /// True if the peer is a stdio shim on this machine. It continues with its agent after a hand-over.
    package var isOfFront: Bool { address.launch != nil }

    func goOn(_ state: GuestLink.HandedOver) {
        speaksACP = state.hasInitialized
        guest.goOn(state)
    }

    /// Called when the bridge is stopping. A client that reads receives the ends of its streams first, even if they
    /// must still come from the log. A client that does not read causes only a short delay.
    package func goAway() {
        guard isOpen, !isLeaving else { return }
        isLeaving = true
        EventLoop.main.schedule(after: Self.closingPatience) { [weak self] in self?.sayGoodbye() }
        reachedAnEnd()
    }

    /// Called when a subscription has sent all available data. The check runs in a later turn of the loop, because the
    /// outbox is still sending.
    package func reachedAnEnd() {
        guard isLeaving, !isEndExpected else { return }
        isEndExpected = true
        EventLoop.main.schedule(after: .zero) { [weak self] in
            guard let self else { return }
            self.isEndExpected = false
            guard self.subscriptions.values.allSatisfy(\.isAtEnd) else { return }
            self.sayGoodbye()
        }
    }

    private func sayGoodbye() { beginClosing(.goingAway, "the bridge is stopping") }

    /// Closes because another program replaces this one. A client that reconnects reaches the new program.
    package func leaveForUpgrade() { beginClosing(.serviceRestart, "the bridge is being replaced; connect again") }

    /// Closes because the identity that admitted the client is no longer valid.
    func dismiss() {
        identity = .nobody
        beginClosing(.policyViolation, "the token was revoked or has expired")
    }

    /// Replaces the client's identity. Ends the streams that the new identity cannot see.
    func take(_ identity: Identity) {
        self.identity = identity
        if speaksACP { guest.leaveWhatIsNotSeen() }
        for subscription in subscriptions.values
        where !identity.maySee(tenant: subscription.tenant) {
            var rejection = Rejection(.unauthorized, "the subscription ended with the rights it was made with")
            rejection.subId = subscription.subId
            _ = removeSubscription(subscription.subId)
            send(rejection.notification(serverTs: wallClockMilliseconds()))
        }
    }

    package func closeAfterFailure() { beginClosing(.internalError, "the log could not be read") }

    // MARK: Requests

    private func handle(_ message: [UInt8]) {
        do throws(JSONSyntaxError) {
            handle(try JSONValue(validating: message))
        } catch {
            if isBeforeInitialize { return beginClosing(.invalidPayload, error.description) }
            refuse(.parseError, error.description)
        }
    }

    private func handle(_ value: JSONValue) {
        let message = Message(value)
        guard !isBeforeInitialize || Self.isInitialize(message) else {
            return beginClosing(.protocolError, "the first message must be initialize")
        }
        switch message {
        case .request(let id, let method, let params): take(id, method, params)
        case .notification(let method, let params):
            guard isForAgents(method) else { return handle(notification: method, params) }
            speaksACP = true
            guest.notify(method, params)
        case .response(let id, _):
            if speaksACP { guest.respond(id, Reply(value)) }
        case .batch:
            refuse(.invalidRequest, "batches are not served here")
        case .invalid(let reason, let id):
            refuse(.invalidRequest, reason.rawValue, id: id ?? .null)
        }
    }

    /// Of our own methods only a ping is useful without an id.
    private func handle(notification method: String, _ params: JSONValue?) {
        guard method == ClientRequest.Method.ping.rawValue else { return }
        send(ServerNotification.pong(t: Parameters(params).value("t")))
    }

    // MARK: ACP

    /// True if an ACP message was received on this connection.
    private var speaksACP = false

    private var isBeforeInitialize: Bool { wire == .acp && !speaksACP }

    private static func isInitialize(_ message: Message) -> Bool {
        if case .request(_, "initialize", _) = message { true } else { false }
    }

    private func isForAgents(_ method: String) -> Bool { wire == .acp || !method.hasPrefix("tinyvex/") }

    private func take(_ id: RequestID, _ method: String, _ params: JSONValue?) {
        guard isForAgents(method) else { return answer(id, method, params) }
        speaksACP = true
        guest.take(GuestLink.Request(id: id, method: method, params: params))
    }

    /// Returns the reader of a session's updates on this connection.
    func reader(of session: Session) -> Subscription? {
        readers[session.id]?.first { $0.stream == .updates && $0.session === session }
    }

    /// Sends a notice about a stream. Notices belong to the bridge's own protocol and are not sent to an ACP-only
    /// client.
    package func tell(_ notice: [UInt8]) {
        if wire == .tinyvex { send(notice) }
    }

    /// Closes because the client's agent has ended. The reason contains the agent's exit status or signal.
    func closeAfterAgent(_ status: TerminationStatus) {
        beginClosing(.internalError, status.closeReason)
    }

    /// Closes because the client requests more data than it reads.
    func giveUpOnSlowClient() { beginClosing(.tryAgainLater, "too much waits to be read") }

    private func refuse(_ code: ErrorCode, _ message: String, id: RequestID = .null) {
        send(Rejection(code, message).response(to: id, serverTs: wallClockMilliseconds()))
    }

    private func answer(_ id: RequestID, _ method: String, _ params: JSONValue?) {
        do throws(Rejection) {
            let request = try ClientRequest.decode(method: method, params: params)
            isBusy = !request.takesItsTime
            clients.requests.answer(request, for: self) { [self] result in
                if request.takesItsTime { complete(id, result) } else { finish(id, result) }
            }
        } catch {
            finish(id, .failure(error))
        }
    }

    /// Sends the answer before any other message that results from the request.
    private func finish(_ id: RequestID, _ result: Result<Completion, Rejection>) {
        complete(id, result)
        // Clear the flag after sending: sending can make room for the next request, which must wait until this one is
        // complete.
        isBusy = false
        handleMessages()
    }

    private func complete(_ id: RequestID, _ result: Result<Completion, Rejection>) {
        guard isOpen else { return }
        switch result {
        case .success(let completion):
            send(MessageText.response(id: id, rawResult: completion.result))
            completion.afterwards()
        case .failure(let rejection):
            send(rejection.response(to: id, serverTs: wallClockMilliseconds()))
        }
    }

    // MARK: Subscriptions

    func add(_ subscription: any OutgoingStream) {
        let replaced = subscriptions.updateValue(subscription, forKey: subscription.subId)
        replaced.map(forget)
        replaced?.close()
        if let reader = subscription as? Subscription { readers[reader.session.id, default: []].append(reader) }
        if subscription.keepsPace { pacedCount += 1 }
        keepPace()
        outbox.enqueue(subscription)
    }

    /// Returns the streams of the sessions with this id. There are only a few: one for each of the client's views.
    func readers(ofSession id: String) -> [Subscription] { readers[id] ?? [] }

    private func forget(_ subscription: any OutgoingStream) {
        if subscription.keepsPace { pacedCount -= 1 }
        guard let id = (subscription as? Subscription)?.session.id else { return }
        readers[id]?.removeAll { $0 === subscription }
        if readers[id]?.isEmpty == true { readers[id] = nil }
    }

    private func takeSubscriptions() -> [any OutgoingStream] {
        defer { (subscriptions, readers, pacedCount) = ([:], [:], 0) }
        return Array(subscriptions.values)
    }

    package func removeSubscription(_ subId: String) -> Bool {
        guard let subscription = subscriptions.removeValue(forKey: subId) else { return false }
        forget(subscription)
        outbox.end(subscription)
        keepPace()
        return true
    }

    /// Paces all streams if one needs it. They share the socket, so none can fill it while another must stay current.
    private func keepPace() { outbox.setPaced(pacedCount > 0) }
}
