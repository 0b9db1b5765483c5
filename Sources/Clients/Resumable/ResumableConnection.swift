import Access
import Connections
import Diagnostics
import EventLoop
import Resumption
import WebSocket

/// The connection of a client of `/acp` that can be opened again without losing messages. To the bridge, the client is
/// always connected.
///
/// While the client is away, the bridge's messages wait in ``ResumableConnectionMachine``; when that is full, they wait
/// in the log.
@LoopActor package final class ResumableConnection {
    package let id: String
    let identity: Identity
    /// The bridge's side of the connection.
    let transport: MessageTransport
    /// The client that the bridge serves on `transport`.
    weak var client: ClientConnection?
    private let address: RemoteClientAddress
    private var machine = ResumableConnectionMachine()
    /// The connection that the client has now.
    private var line: WebSocketPeer?
    /// How the bridge ended the connection. The client is notified of it.
    private var ending: (code: CloseCode, reason: String)?
    private var absence: Timer?
    private var beat: Timer?
    private var isOver = false
    /// A resumable connection counts as one connection, even while its client is away.
    private let permit: ConnectionPermit?
    private let absenceLimit: Duration
    private let services: LoopServices
    private let ended: @LoopActor (ResumableConnection) -> Void

    /// The interval between pings to the client.
    private static let beatInterval = Duration.seconds(30)
    /// A line that is silent for this long is dropped. The client can then open another one.
    private static let silenceLimit = Duration.seconds(120)

    /// - Parameters:
    ///   - absenceLimit: how long the client can be away.
    ///   - ended: called once, when the connection cannot be resumed any longer.
    init(
        id: String, identity: Identity, address: RemoteClientAddress, transport: MessageTransport,
        permit: ConnectionPermit?, absenceLimit: Duration, services: LoopServices,
        ended: @escaping @LoopActor (ResumableConnection) -> Void
    ) {
        self.id = id
        self.identity = identity
        self.address = address
        self.transport = transport
        self.permit = permit
        self.absenceLimit = absenceLimit
        self.services = services
        self.ended = ended
        transport.connect(to: self)
        scheduleBeat()
    }

    // MARK: From one program to the next

    package struct State: Codable {
        var id: String
        var identity: Identity
        var address: RemoteClientAddress
        var machine: ResumableConnectionMachine
        var link: RemoteClient.HandedOver
    }

    /// True if the connection is over, or the bridge has ended it and the client has not been notified yet.
    package var hasEnded: Bool { isOver || ending != nil }

    /// Nil while data is in transit between this object and the bridge. The client's connection is not handed over: the
    /// client opens another.
    package var state: State? {
        guard !hasEnded, transport.isQuiet, let link = client?.remoteClientState else { return nil }
        return State(id: id, identity: identity, address: address, machine: machine, link: link)
    }

    func restore(_ state: State) {
        machine = state.machine
        machine.lineLost()
        client?.restoreRemoteClient(from: state.link)
        awaitReturn()
    }

    // MARK: The client's connections

    /// True if the client is not connected.
    var isAbsent: Bool { line == nil }
    package var receivedCount: Int64 { machine.receivedCount }

    package func canResume(after count: Int64) -> Bool { !isOver && machine.canResume(after: count) }

    /// Closes the old connection. Call before the client's new connection is answered: the old one can be broken
    /// without notice, and must send nothing more.
    package func dropLine() {
        line?.drop()
        line = nil
        machine.lineLost()
    }

    package func lineOpened(_ line: WebSocketPeer, after count: Int64) {
        absence?.cancel()
        guard let lacking = orLog("resuming a connection", { try machine.lineOpened(after: count) }) else {
            return end()
        }
        self.line = line
        guard line.start(self) else { return lineLost() }
        for message in lacking { line.send(message) }
        if let ending { line.close(ending.code, ending.reason) }
        transport.receiverHasRoom()
    }

    private func lineLost() {
        line = nil
        machine.lineLost()
        transport.receiverHasRoom()
        awaitReturn()
    }

    private func awaitReturn() {
        absence = services.timers.schedule(after: absenceLimit) { [weak self] in self?.end() }
    }

    private func scheduleBeat() {
        beat = services.timers.schedule(after: Self.beatInterval) { [weak self] in
            guard let self, !self.isOver else { return }
            self.line?.checkAlive(within: Self.silenceLimit)
            self.scheduleBeat()
        }
    }

    // MARK: From the client

    private func handle(_ arrival: Arrival) {
        switch arrival {
        case .text(let message): clientSent(message)
        case .binary(let text): receiptCame(text)
        case .closing: clientLeft()
        case .control: break
        }
    }

    private func clientSent(_ message: [UInt8]) {
        guard machine.clientSent(byteCount: message.count) else {
            return line?.close(.policyViolation, "too many bytes are unconfirmed") ?? ()
        }
        transport.append(message)
    }

    private func receiptCame(_ text: [UInt8]) {
        guard let count = Receipt.count(text), (try? machine.receiptCame(count)) != nil else {
            return line?.close(.protocolError, "more messages were confirmed than were sent") ?? ()
        }
        transport.receiverHasRoom()
    }

    /// Sends the client a receipt if the bridge has handled all messages.
    private func confirm() {
        guard transport.hasHandledAll, let count = machine.takeReceipt() else { return }
        line?.send(Array(Receipt.text(count).utf8), as: .binary)
    }

    /// Called when the client has closed its connection in order. The bridge treats this as the end of the client.
    private func clientLeft() {
        line = nil
        end()
    }

    // MARK: The end

    /// Notifies the client of the end, now or when it reconnects.
    private func end(_ code: CloseCode, _ reason: String) {
        guard ending == nil, !isOver else { return }
        ending = (code, reason)
        line?.close(code, reason)
    }

    /// Ends the connection at once, so that the client that replaces this one does not find it.
    func yield() {
        end()
        client?.close()
    }

    private func end() {
        guard !isOver else { return }
        isOver = true
        line?.drop()
        line = nil
        absence?.cancel()
        beat?.cancel()
        ended(self)
        transport.endInput()
        transport.receiverHasRoom()
    }
}

extension ResumableConnection: TransportOwner {
    /// Messages are taken even if too much data is unsent: receipts are among them, and they make room.
    package var takesMessages: Bool { true }

    package func messagesArrived(through transport: any ClientTransport) {
        // A line that was replaced can still complete its closing handshake.
        while let arrival = transport.next() {
            if transport === line { handle(arrival) }
        }
        self.transport.announce()
        confirm()
    }

    package func hasRoom(in transport: any ClientTransport) { self.transport.receiverHasRoom() }

    package func willClose(_ transport: any ClientTransport) {}

    package func closed(_ transport: any ClientTransport) {
        if transport === line { lineLost() }
    }
}

extension ResumableConnection: MessageReceiver {
    package var hasRoom: Bool { hasEnded || (!machine.isFull && line?.writer.isOverControlLimit != true) }

    package func receive(_ messages: [[UInt8]]) {
        guard !isOver else { return }
        for message in messages where machine.bridgeSent(message) { line?.send(message) }
    }

    package func receiveClose(_ code: CloseCode?, _ reason: [UInt8]) {
        end(code ?? .normalClosure, String(decoding: reason, as: UTF8.self))
    }

    package func messagesWereHandled() { confirm() }

    package func connectionEnded() { end(.goingAway, "the bridge has ended this connection") }
}
