import Access
import Agents
import EventLoop
import Glibc
import Posix
import Resumption
import WebSocket

/// A client of `/acp` with a resumable connection. To the bridge it is an ordinary client over a socket pair, and it is
/// always connected. To the client it is a connection that can be opened again without losing messages.
///
/// While the client is away, the bridge's messages wait in ``RelayMachine``; when that is full, they wait in the log.
@LoopActor package final class GuestRelay {
    package let id: String
    let identity: Identity
    private(set) var machine = RelayMachine()
    private var line: RelayLine?
    private var fromBridge: Inlet?
    private var toBridge: Outlet?
    private var messages: MessageAssembler
    private var address = GuestAddress()
    /// How the bridge ended the connection. The client is notified of it.
    private var ending: (code: CloseCode, reason: String)?
    private var absence: Timer?
    private var beat: Timer?
    private var isOver = false
    /// The bridge's end of the socket pair.
    private weak var connection: TinyvexConnection?
    private unowned let clients: ClientTable

    /// The interval between pings to the client. This object also sends the bridge a pong at this interval, because the
    /// bridge disconnects a client that is silent for 120 s. It cannot answer the bridge's pings while it does not read
    /// them.
    private static let beatInterval = Duration.seconds(30)
    private static let silenceLimit = Duration.seconds(120)

    package init(id: String, identity: Identity, clients: ClientTable) {
        self.id = id
        self.identity = identity
        self.clients = clients
        let limits = MessageLimits(messageBytes: clients.limits.lineBytes)
        messages = MessageAssembler(role: .client, limits: limits)
    }

    /// Connects to the bridge.
    package func start(_ address: GuestAddress, permit: ConnectionPermit) throws(SystemError) {
        self.address = address
        let pair = try Sockets.pair()
        let near = Descriptor(owning: pair.near)
        let far = Descriptor(owning: pair.far)
        let duplicate = Descriptor(owning: fcntl(near.raw, F_DUPFD_CLOEXEC, 0))
        fromBridge = Inlet(ByteStream(duplicate)) { [weak self] in
            self?.bridgeWrote($0)
        } ended: { [weak self] in
            self?.bridgeLeft()
        }
        toBridge = Outlet(ByteStream(near)) { [weak self] in self?.bridgeReported($0) }
        try fromBridge?.start()
        try toBridge?.start()
        connection = clients.addConnection(
            ByteStream(far), remainder: [], id: id, identity: identity, wire: .acp, address: address, permit: permit)
        scheduleBeat()
    }

    // MARK: From one program to the next

    package struct State: Codable {
        var id: String
        var identity: Identity
        var address: GuestAddress
        var machine: RelayMachine
        var link: GuestLink.HandedOver
    }

    /// True if the connection is over, or the bridge has ended it and the client has not been notified yet.
    package var hasEnded: Bool { isOver || ending != nil }

    /// Nil while data is in transit between this object and the bridge. The client's connection is not handed over: the
    /// client opens another.
    package var state: State? {
        guard !hasEnded, toBridge?.isEmpty == true, fromBridge?.waitingBytes == 0, let link = connection?.guestState
        else { return nil }
        return State(id: id, identity: identity, address: address, machine: machine, link: link)
    }

    func goOn(_ state: State, permit: ConnectionPermit) throws(SystemError) {
        machine = state.machine
        machine.lineLost()
        try start(state.address, permit: permit)
        connection?.goOn(state.link)
        awaitReturn()
    }

    // MARK: The client's connections

    /// True if the client is not connected.
    var isAbsent: Bool { line == nil }
    package var receivedCount: Int64 { machine.receivedCount }

    package func canGoOn(after count: Int64) -> Bool { !isOver && machine.canGoOn(after: count) }

    /// Closes the old connection. Call before the client's new connection is answered: the old one can be broken
    /// without notice, and must send nothing more.
    package func dropLine() {
        line?.drop()
        line = nil
        machine.lineLost()
    }

    package func lineOpened(_ line: RelayLine, after count: Int64) {
        absence?.cancel()
        guard let lacking = try? machine.lineOpened(after: count) else { return end() }
        self.line = line
        guard line.start() else { return lineLost(line) }
        for message in lacking { line.send(message) }
        if let ending { line.finish(ending.code, ending.reason) }
        holdIfFull()
    }

    func lineLost(_ line: RelayLine) {
        guard self.line === line else { return }
        self.line = nil
        machine.lineLost()
        holdIfFull()
        awaitReturn()
    }

    private func awaitReturn() {
        absence = EventLoop.main.schedule(after: clients.limits.absence) { [weak self] in self?.end() }
    }

    func lineHasRoom() { holdIfFull() }

    // MARK: From the client

    func clientSaid(_ message: [UInt8]) {
        guard machine.clientSaid(byteCount: message.count) else {
            return line?.finish(.policyViolation, "more was sent than may be unconfirmed") ?? ()
        }
        var frame: [UInt8] = []
        // No proxy sits between two ends of one process, so the mask need not be secret.
        Frame.append(.text, message.span, maskKey: 0, to: &frame)
        frame.withUnsafeBytes { toBridge?.write($0) }
    }

    func receiptCame(_ text: [UInt8]) {
        guard let count = Receipt.count(text), (try? machine.receiptCame(count)) != nil else {
            return line?.finish(.protocolError, "no such number of messages was sent") ?? ()
        }
        holdIfFull()
    }

    /// Sends the client a receipt if the bridge has taken all messages.
    func confirm() {
        guard toBridge?.isEmpty != false else { return }
        if let count = machine.takeReceipt() { line?.send(receipt: count) }
    }

    /// Called when the client has closed its connection in order. The bridge treats this as the end of the client.
    func clientLeft() {
        line = nil
        end()
    }

    // MARK: From the bridge

    private func bridgeWrote(_ chunk: UnsafeRawBufferPointer) {
        messages.append(chunk)
        while let event = try? messages.next() {
            switch event {
            case .text(let message): if machine.bridgeSaid(message) { line?.send(message) }
            case .ping(let payload): Frame.pong(payload, maskKey: 0).withUnsafeBytes { toBridge?.write($0) }
            case .close(let code, let reason):
                ended(code ?? .normalClosure, String(decoding: reason, as: UTF8.self))
            case .binary, .pong: break
            }
        }
        holdIfFull()
    }

    private func holdIfFull() {
        fromBridge?.hold(.sinkIsFull, machine.isFull || line?.isOverLimit == true)
    }

    private func bridgeLeft() { ended(.goingAway, "the bridge has ended this connection") }

    /// Notifies the client of the end, now or when it reconnects. The socket pair is not needed any longer.
    private func ended(_ code: CloseCode, _ reason: String) {
        guard ending == nil, !isOver else { return }
        ending = (code, reason)
        line?.finish(code, reason)
        Frame.close(code, maskKey: 0).withUnsafeBytes { toBridge?.write($0) }
        toBridge?.closeWhenEmpty()
    }

    private func bridgeReported(_ event: Outlet.Event) {
        if case .hasRoom = event { confirm() }
    }

    // MARK: The end

    /// Ends the connection at once, so that the client that replaces this one does not find it.
    func giveWay() {
        end()
        connection?.close()
    }

    private func end() {
        guard !isOver else { return }
        isOver = true
        line?.drop()
        line = nil
        absence?.cancel()
        beat?.cancel()
        fromBridge?.close()
        Frame.close(.normalClosure, maskKey: 0).withUnsafeBytes { toBridge?.write($0) }
        toBridge?.closeWhenEmpty()
        clients.relays.remove(self)
    }

    private func scheduleBeat() {
        beat = EventLoop.main.schedule(after: Self.beatInterval) { [weak self] in
            guard let self, !self.isOver else { return }
            Frame.pong([], maskKey: 0).withUnsafeBytes { self.toBridge?.write($0) }
            if let line = self.line, Instant.now - line.lastHeard > Self.silenceLimit {
                line.drop()
                self.lineLost(line)
            }
            self.line?.ping()
            self.scheduleBeat()
        }
    }
}
