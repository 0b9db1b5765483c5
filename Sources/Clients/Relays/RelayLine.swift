import Access
import Connections
import EventLoop
import Posix
import Resumption
import WebSocket

/// One WebSocket connection of a client with a resumable connection.
@LoopActor package final class RelayLine: PollHandler {
    private weak var relay: GuestRelay?
    private let permit: ConnectionPermit
    private let outbox: Outbox
    private let interest = Interest()
    private var machine: ConnectionMachine
    private var isGone = false
    /// The time when the peer last sent or read data.
    private(set) var lastHeard = Instant.now

    /// The time that the peer has to close after our close frame.
    private static let closingPatience = Duration.seconds(2)

    package init(
        _ stream: consuming ByteStream, deflate: PermessageDeflate?, remainder: [UInt8], permit: ConnectionPermit,
        of relay: GuestRelay, turns: SendingTurns, limits: MessageLimits
    ) {
        self.relay = relay
        self.permit = permit
        machine = ConnectionMachine(role: .server, limits: limits, deflate: deflate)
        let interest = self.interest
        outbox = Outbox(stream: stream, deflate: deflate?.server, turns: turns) { interest.changed() }
        remainder.withUnsafeBytes { machine.bytesArrived($0) }
    }

    /// Starts to read. Returns false if the event loop cannot watch the socket.
    func start() -> Bool {
        guard let watch = try? EventLoop.main.watch(outbox.fd, .readable, self) else { return false }
        interest.begin(watch, outbox: outbox) { [weak self] in self?.relay?.lineHasRoom() }
        handleMessages()
        return true
    }

    /// True if no more should be sent before the peer has read some data.
    var isOverLimit: Bool { outbox.isOverControlLimit }

    func send(_ message: [UInt8]) {
        guard machine.isOpen else { return }
        var frame: [UInt8] = []
        Frame.append(.text, message.span, to: &frame)
        outbox.sendControl(frame)
    }

    func send(receipt count: Int64) {
        guard machine.isOpen else { return }
        var frame: [UInt8] = []
        Frame.append(.binary, Array(Receipt.text(count).utf8).span, to: &frame)
        outbox.sendControl(frame)
    }

    func ping() {
        if machine.isOpen { outbox.sendControl(Frame.ping()) }
    }

    /// Sends a close frame because the resumable connection is over. The client's own close frame confirms that it has
    /// received everything.
    func finish(_ code: CloseCode, _ reason: String) {
        guard !isGone, let frame = machine.close(code, reason: reason) else { return }
        outbox.sendControl(frame)
        endSoon()
    }

    /// Closes after the deadline. The scheduled closure keeps this object alive until then, whether or not the relay
    /// still exists.
    private func endSoon() { EventLoop.main.schedule(after: Self.closingPatience) { [self] in lose() } }

    /// Closes without notifying the relay, which does not need this connection any longer.
    func drop() {
        guard !isGone else { return }
        isGone = true
        interest.end()
        outbox.abandon()
    }

    private func lose() {
        guard !isGone else { return }
        drop()
        relay?.lineLost(self)
    }

    // MARK: Reading

    package func pollReady(_ watch: Watch, _ readiness: Readiness) {
        if readiness.contains(.writable) {
            lastHeard = .now
            outbox.becameWritable()
        }
        if !readiness.isDisjoint(with: [.readable, .hangup]) { read() }
        handleMessages()
        if outbox.hasFailed { lose() }
    }

    private func read() {
        switch outbox.read(into: EventLoop.main.readChunk) {
        case .bytes(let count):
            lastHeard = .now
            machine.bytesArrived(UnsafeRawBufferPointer(rebasing: EventLoop.main.readChunk[..<count]))
        case .wouldBlock: break
        case .endOfStream, .failed: lose()
        }
    }

    /// Handles all messages, even if too much data is unsent: receipts are among them, and they make room.
    private func handleMessages() {
        while !isGone, let action = machine.next() { act(action) }
        if !isGone { relay?.confirm() }
    }

    private func act(_ action: ConnectionMachine.Action) {
        switch action {
        case .deliverText(let message): relay?.clientSaid(message)
        case .deliverBinary(let text): relay?.receiptCame(text)
        case .send(let frame): outbox.sendControl(frame)
        case .pongArrived: break
        case .sendClose(let frame):
            outbox.sendControl(frame)
            endSoon()
            relay?.clientLeft()
        case .endTransport:
            outbox.finishWriting()
            relay?.clientLeft()
        }
    }
}
