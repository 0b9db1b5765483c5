import Access
import Diagnostics
import EventLoop
import Posix
import WebSocket

/// One WebSocket connection of a client, from the upgrade to its end: reading, pings, and the closing handshake.
@LoopActor package final class WebSocketPeer: ClientTransport, PollHandler {
    package let writer: ConnectionWriter
    private let readGate = ReadGate()
    private var machine: ConnectionMachine
    /// The connection's share of the limits, until the connection is closed.
    private var permit: ConnectionPermit?
    private let services: LoopServices
    private weak var owner: (any TransportOwner)?
    private var isGone = false
    /// The time when the client last sent data, pongs included, or read data.
    private var lastHeard: Instant
    /// The time when the first bytes of an unfinished message arrived.
    private var unfinishedSince: Instant?

    /// 10 minutes, and a second for each 16 KiB that have come: an unfinished message keeps its memory.
    private static func messagePatience(for bytes: Int) -> Duration { .seconds(600 + (bytes >> 14)) }

    /// - Parameters:
    ///   - deflate: the negotiated compression of messages, if any.
    ///   - remainder: bytes that the client sent directly after its handshake.
    package init(
        _ stream: consuming ByteStream, deflate: PermessageDeflate? = nil, remainder: [UInt8] = [],
        limits: MessageLimits, permit: ConnectionPermit?, turns: FairScheduler, services: LoopServices
    ) {
        self.permit = permit
        self.services = services
        lastHeard = services.time.now
        machine = ConnectionMachine(role: .server, limits: limits, deflate: deflate)
        let readGate = self.readGate
        writer = ConnectionWriter(stream: stream, deflate: deflate?.server, turns: turns) {
            readGate.changed()
        }
        remainder.withUnsafeBytes { machine.bytesArrived($0) }
    }

    package func start(_ owner: any TransportOwner) -> Bool {
        let watch = orLog("watching a client") { () throws(SystemError) in
            try services.poller.watch(writer.fd, .readable, self)
        }
        guard let watch else { return false }
        self.owner = owner
        readGate.begin(watch, writer: writer) { [weak self] in
            guard let self, !self.countHeld() else { return }
            // In the loop's next turn, because the owner can be sending an answer.
            services.timers.soon { [weak self] in self?.lose() }
        } hasRoom: { [weak self] in
            guard let self else { return }
            self.owner?.hasRoom(in: self)
        }
        owner.messagesArrived(through: self)
        return true
    }

    package var isOpen: Bool { !isGone && machine.isOpen }

    // MARK: Reading

    package func pollReady(_ watch: Watch, _ readiness: Readiness) {
        if readiness.contains(.writable) {
            // The client reads data, so it is alive even if it has not reached our pings yet.
            lastHeard = services.time.now
            writer.becameWritable()
        }
        if !readiness.isDisjoint(with: [.readable, .hangup]) { read() }
        deliver()
        if !countHeld() || writer.hasFailed { lose() }
    }

    /// Returns false if the connections hold too much memory. This one must then be ended, without a close frame: the client
    /// takes it for a lost connection, and tries again.
    private func countHeld() -> Bool {
        guard !isGone else { return true }
        let bytes = machine.unfinishedBytes
        unfinishedSince = bytes > 0 ? unfinishedSince ?? services.time.now : nil
        return permit?.setHeld(bytes: bytes + writer.waitingControlBytes) ?? true
    }

    /// Without an owner, the messages are dropped and only the closing handshake is completed.
    private func deliver() {
        guard !isGone else { return }
        guard let owner else { while next() != nil {}; return }
        owner.messagesArrived(through: self)
    }

    private func read() {
        guard !isGone else { return }
        guard owner?.takesMessages != false else { return readGate.pauseReading() }
        let chunk = services.poller.readChunk
        switch writer.read(into: chunk) {
        case .bytes(let count):
            lastHeard = services.time.now
            machine.bytesArrived(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
        case .wouldBlock: break
        case .endOfStream, .failed: lose()
        }
    }

    package func next() -> Arrival? {
        guard !isGone, let action = machine.next() else { return nil }
        switch action {
        case .deliverText(let message): return .text(message)
        case .deliverBinary(let message): return .binary(message)
        case .send(let frame):
            writer.sendControl(frame)
            return .control
        case .pongArrived(let payload):
            writer.pongArrived(payload)
            return .control
        case .sendClose(let frame):
            sendLast(frame)
            return .closing
        case .endTransport:
            writer.finishWriting()
            return .closing
        }
    }

    package func pauseReading() { readGate.pauseReading() }

    package func resumeReading() { readGate.resumeReading() }

    // MARK: The end

    package func checkAlive(within limit: Duration) {
        guard services.time.now - lastHeard <= limit else { return lose() }
        if let since = unfinishedSince,
            services.time.now - since > Self.messagePatience(for: machine.unfinishedBytes)
        {
            return lose()
        }
        if isOpen { writer.sendPing() }
    }

    package func close(_ code: CloseCode, _ reason: String) {
        guard !isGone, let frame = machine.close(code, reason: reason) else { return }
        sendLast(frame)
    }

    private func sendLast(_ closeFrame: [UInt8]) {
        owner?.willClose(self)
        writer.sendControl(closeFrame)
        services.timers.schedule(after: Self.closingPatience) { [weak self] in self?.lose() }
    }

    package func drop() {
        guard !isGone else { return }
        isGone = true
        readGate.end()
        writer.abandon()
        // The connection that this one carries can own the permit, too.
        permit?.releaseHeld()
        permit = nil
    }

    private func lose() {
        guard !isGone else { return }
        drop()
        owner?.closed(self)
    }
}
