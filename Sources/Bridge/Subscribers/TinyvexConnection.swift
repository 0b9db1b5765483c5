import AgentProcess
import EventLoop
import JSONRPC
import JSONScan
import Tinyvex
import WebSocket

/// One client on `/tinyvex` or `/acp`: its requests one after another, its subscriptions side by side. What it says in
/// ACP goes to the agents it speaks to.
@LoopActor final class TinyvexConnection: PollHandler {
    let id: String
    /// Who is there, as far as they have shown, and what they may do.
    private(set) var identity: Identity
    /// The client said that it puts large values together from pieces.
    var takesChunks = false
    let outbox: Outbox
    private let permit: ConnectionPermit
    private(set) var subscriptions: [String: any OutgoingStream] = [:]
    /// Those of them that read a session, by its id.
    private var readers: [String: [Subscription]] = [:]
    /// Those of them that have all streams keep a pace.
    private var pacedCount = 0
    /// When the peer last sent something, pongs included, or took something.
    private(set) var lastHeard = Instant.now
    private let bridge: Bridge
    private let wire: Wire
    private let address: GuestAddress
    private lazy var guest = GuestLink(self, address: address, followsSessions: wire == .acp, bridge: bridge)
    private let interest = Interest()
    private var machine: ConnectionMachine
    private var isGone = false
    /// A request is being worked on: the next one waits, so that answers come in the order of the requests.
    private var isBusy = false
    private var isHandling = false
    /// It has sent more requests than one turn of the loop has time for.
    private var isWaitingForTurn = false
    /// The bridge is stopping, and this client is let go when it has what there is.
    private var isLeaving = false
    /// Whether all has been sent is looked into when the loop comes back to it.
    private var isEndExpected = false

    /// What is spoken.
    enum Wire {
        /// The protocol of this bridge, and ACP beside it.
        case tinyvex
        /// ACP alone, as its RFD "Streamable HTTP & WebSocket Transport" has it.
        case acp
    }

    /// How long the peer may take, from our close frame on, to send its own and to end the stream.
    private static let closingPatience = Duration.seconds(2)

    /// - Parameter deflate: how messages are compressed, where that was agreed on.
    /// - Parameter remainder: what the client sent right behind its handshake.
    init(
        stream: consuming ByteStream, deflate: PermessageDeflate?, remainder: [UInt8], id: String, identity: Identity,
        wire: Wire, address: GuestAddress, permit: ConnectionPermit, bridge: Bridge
    ) {
        self.id = id
        self.permit = permit
        self.wire = wire
        self.address = address
        self.identity = identity
        self.bridge = bridge
        let bounds = bridge.configuration.limits
        let limits = MessageLimits(messageBytes: wire == .acp ? bounds.lineBytes : bounds.messageBytes)
        machine = ConnectionMachine(role: .server, limits: limits, deflate: deflate)
        let interest = self.interest
        outbox = Outbox(stream: stream, deflate: deflate?.server, turns: bridge.registry.turns) { interest.changed() }
        remainder.withUnsafeBytes { machine.bytesArrived($0) }
    }

    /// Begins to read. False when the loop cannot watch the socket.
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
        bridge.connectionClosed(self)
    }

    // MARK: Reading

    func pollReady(_ watch: Watch, _ readiness: Readiness) {
        if readiness.contains(.writable) {
            // It takes what it is sent: a slow reader is alive, though it may not have come to our pings yet.
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
            guard bridge.requests.hasTime else { return waitForTurn() }
            guard let action = machine.next() else { break }
            act(action)
        }
        if !isBusy { interest.resumeReading() }
    }

    private var mayHandle: Bool { !isGone && !isBusy && !outbox.isOverControlLimit }

    /// One read may bring a thousand requests: other clients' come between them, and editors' and agents' bytes.
    private func waitForTurn() {
        isWaitingForTurn = true
        interest.pauseReading()
        bridge.requests.add(self)
    }

    /// Handles one message, and what follows if no other client waits.
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
            // The RFD of `/acp` has them ignored.
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

    /// Sends a close frame behind what is already on its way, and waits for the peer to close, but not for long.
    private func sendLast(_ closeFrame: [UInt8]) {
        for subscription in takeSubscriptions() { outbox.end(subscription) }
        outbox.sendControl(closeFrame)
        EventLoop.main.schedule(after: Self.closingPatience) { [weak self] in self?.close() }
    }

    // MARK: Sending

    func send(_ message: [UInt8]) {
        // Nothing may follow a close frame.
        guard isOpen else { return }
        var frame: [UInt8] = []
        Frame.append(.text, message.span, to: &frame)
        outbox.sendControl(frame)
    }

    func ping() {
        if isOpen { outbox.sendControl(Frame.ping()) }
    }

    /// To go on in another program; nil while something is on its way.
    var guestState: GuestLink.HandedOver? {
        guard outbox.isEmpty, outbox.waitingBytes == 0, !isBusy, !isWaitingForTurn,
            subscriptions.values.allSatisfy(\.isAtEnd)
        else {
            return nil
        }
        let sessions = subscriptions.values.compactMap { ($0 as? Subscription)?.session }
        return guest.handedOver(following: sessions)
    }

    /// A front of this machine is at the other end, which goes on with its agent.
    var isOfFront: Bool { address.launch != nil }

    func goOn(_ state: GuestLink.HandedOver) {
        speaksACP = state.hasInitialized
        guest.goOn(state)
    }

    /// The bridge is stopping. A client that reads gets the ends of its streams first, which may be on their way from
    /// the log; one that does not holds nobody up for long.
    func goAway() {
        guard isOpen, !isLeaving else { return }
        isLeaving = true
        EventLoop.main.schedule(after: Self.closingPatience) { [weak self] in self?.sayGoodbye() }
        reachedAnEnd()
    }

    /// A subscription has sent all there is. Looked into when the loop comes back to it: the outbox is still at work.
    func reachedAnEnd() {
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

    /// Another program takes this one's place; whoever comes back finds it.
    func leaveForUpgrade() { beginClosing(.serviceRestart, "the bridge is being replaced; connect again") }

    /// What it was let in by is worth nothing any more.
    func dismiss() {
        identity = .nobody
        beginClosing(.policyViolation, "the token was revoked or has expired")
    }

    /// From now on it may do what this identity may. Streams of what that one may not see end.
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

    func closeAfterFailure() { beginClosing(.internalError, "the log could not be read") }

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

    /// Of our own methods a ping alone makes sense without an id.
    private func handle(notification method: String, _ params: JSONValue?) {
        guard method == ClientRequest.Method.ping.rawValue else { return }
        send(ServerNotification.pong(t: Parameters(params).value("t")))
    }

    // MARK: ACP

    /// Something of it was said on this connection.
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

    /// The reader of a session's updates on this connection.
    func reader(of session: Session) -> Subscription? {
        readers[session.id]?.first { $0.stream == .updates && $0.session === session }
    }

    /// Notices about streams are of this bridge's protocol, and have no place in ACP.
    func tell(_ notice: [UInt8]) {
        if wire == .tinyvex { send(notice) }
    }

    /// The client's agent has ended; the reason says how.
    func closeAfterAgent(_ status: TerminationStatus) {
        beginClosing(.internalError, status.closeReason)
    }

    /// It asks for more than it takes.
    func giveUpOnSlowClient() { beginClosing(.tryAgainLater, "too much waits to be read") }

    private func refuse(_ code: ErrorCode, _ message: String, id: RequestID = .null) {
        send(Rejection(code, message).response(to: id, serverTs: wallClockMilliseconds()))
    }

    private func answer(_ id: RequestID, _ method: String, _ params: JSONValue?) {
        do throws(Rejection) {
            let request = try ClientRequest.decode(method: method, params: params)
            isBusy = !request.takesItsTime
            bridge.answer(request, for: self) { [self] result in
                if request.takesItsTime { complete(id, result) } else { finish(id, result) }
            }
        } catch {
            finish(id, .failure(error))
        }
    }

    /// The answer goes out before anything that follows from the request.
    private func finish(_ id: RequestID, _ result: Result<Completion, Rejection>) {
        complete(id, result)
        // Only now: sending may make room for the next request, whose turn comes when this one is done altogether.
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

    /// The streams of sessions with this id: one for each view the client has of one, or a few.
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

    func removeSubscription(_ subId: String) -> Bool {
        guard let subscription = subscriptions.removeValue(forKey: subId) else { return false }
        forget(subscription)
        outbox.end(subscription)
        keepPace()
        return true
    }

    /// All streams share the socket: for one that is never to be old none may fill it.
    private func keepPace() { outbox.setPaced(pacedCount > 0) }
}
