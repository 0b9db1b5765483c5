import EventLoop
import Glibc
import Resumption
import WebSocket

/// A client of `/acp` that asked for a conversation which outlives its connections: to the bridge a client as any other,
/// over a pair of sockets, that is always there; to the client a connection that can be made anew and misses nothing.
///
/// What the bridge says while the client is away waits in ``RelayMachine`` and, behind that, in the log.
@LoopActor final class GuestRelay {
    let id: String
    let identity: Identity
    private(set) var machine = RelayMachine()
    private var line: RelayLine?
    private var fromBridge: Inlet?
    private var toBridge: Outlet?
    private var messages: MessageAssembler
    private var address = GuestAddress()
    /// How the bridge ended it, to be told to the client.
    private var ending: (code: CloseCode, reason: String)?
    private var absence: Timer?
    private var beat: Timer?
    private var isOver = false
    /// What the bridge knows of this client.
    private weak var connection: TinyvexConnection?
    private unowned let bridge: Bridge

    /// Between pings. The bridge is told as often that somebody is there, which it could not hear while it is not read
    /// from: it gives up a client that is silent for 120 s.
    private static let beatInterval = Duration.seconds(30)
    private static let silenceLimit = Duration.seconds(120)

    init(id: String, identity: Identity, bridge: Bridge) {
        self.id = id
        self.identity = identity
        self.bridge = bridge
        let limits = MessageLimits(messageBytes: bridge.configuration.limits.lineBytes)
        messages = MessageAssembler(role: .client, limits: limits)
    }

    /// Connects to the bridge.
    func start(_ address: GuestAddress, permit: ConnectionPermit) throws(SystemError) {
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
        connection = bridge.addConnection(
            ByteStream(far), remainder: [], id: id, identity: identity, wire: .acp, address: address, permit: permit)
        scheduleBeat()
    }

    // MARK: From one program to the next

    struct State: Codable {
        var id: String
        var identity: Identity
        var address: GuestAddress
        var machine: RelayMachine
        var link: GuestLink.HandedOver
    }

    /// The bridge has ended it, and the client has still to be told.
    var hasEnded: Bool { isOver || ending != nil }

    /// Nil while something is on its way between this and the bridge. The client's connection is not handed over: it
    /// makes another.
    var state: State? {
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

    /// Nobody is at the other end.
    var isAbsent: Bool { line == nil }
    var receivedCount: Int64 { machine.receivedCount }

    func canGoOn(after count: Int64) -> Bool { !isOver && machine.canGoOn(after: count) }

    /// Before the client is answered: a connection that may have broken unnoticed says nothing more.
    func dropLine() {
        line?.drop()
        line = nil
        machine.lineLost()
    }

    func lineOpened(_ line: RelayLine, after count: Int64) {
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
        absence = EventLoop.main.schedule(after: bridge.configuration.limits.absence) { [weak self] in self?.end() }
    }

    func lineHasRoom() { holdIfFull() }

    // MARK: From the client

    func clientSaid(_ message: [UInt8]) {
        guard machine.clientSaid(byteCount: message.count) else {
            return line?.finish(.policyViolation, "more was sent than may be unconfirmed") ?? ()
        }
        var frame: [UInt8] = []
        // Between two ends of one process no proxy looks on: the mask need not be a secret.
        Frame.append(.text, message.span, maskKey: 0, to: &frame)
        frame.withUnsafeBytes { toBridge?.write($0) }
    }

    func receiptCame(_ text: [UInt8]) {
        guard let count = Receipt.count(text), (try? machine.receiptCame(count)) != nil else {
            return line?.finish(.protocolError, "no such number of messages was sent") ?? ()
        }
        holdIfFull()
    }

    /// Once the bridge has taken it.
    func confirm() {
        guard toBridge?.isEmpty != false else { return }
        if let count = machine.takeReceipt() { line?.send(receipt: count) }
    }

    /// It has closed, in order: to the bridge that is the end of this client.
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

    /// The client is told, now or when it is back; the pair is not needed any more.
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

    /// At once: who comes in its place is not to find it there.
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
        bridge.relays.remove(self)
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
