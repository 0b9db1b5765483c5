import EventLoop
import WebSocket

/// One WebSocket in either role, from behind its handshake to its end. Pings and close frames it answers itself, and
/// compresses what it sends where that was agreed on.
@LoopActor final class MessageConnection: PollHandler {
    /// What is done with a message; `opcode` is text or binary.
    typealias Receiver = @LoopActor (MessageConnection, _ opcode: Opcode, [UInt8]) -> Void

    /// How long a peer may take for its close frame, and then for the end of the stream.
    private static let closingPatience = Duration.seconds(5)

    private let stream: ByteStream
    private let role: MessageAssembler.Role
    private let receiver: Receiver
    private let ended: @LoopActor () -> Void
    private var machine: ConnectionMachine
    private var deflater: Deflater?
    private var outgoing = OutgoingBytes()
    private var watch: Watch?
    /// Once what waits is sent, our side of the stream ends.
    private var mayFinishWriting = false
    private var hasEnded = false

    /// - Parameter ended: called once, when the socket is done with.
    init(
        _ stream: consuming ByteStream, role: MessageAssembler.Role, deflate: PermessageDeflate?,
        receiver: @escaping Receiver, ended: @escaping @LoopActor () -> Void = {}
    ) {
        self.stream = stream
        self.role = role
        self.receiver = receiver
        self.ended = ended
        machine = ConnectionMachine(role: role, deflate: deflate)
        deflater = deflate.flatMap { Deflater(role == .server ? $0.server : $0.client) }
    }

    /// Begins to read; the loop keeps the connection from then on.
    ///
    /// - Parameter remainder: what came right behind the handshake.
    func start(remainder: [UInt8]) throws(SystemError) {
        watch = try EventLoop.main.watch(stream.fd, .readable, self)
        remainder.withUnsafeBytes { machine.bytesArrived($0) }
        advance()
    }

    /// Sends a message, unless the connection is being closed.
    func send(_ opcode: Opcode, _ payload: [UInt8]) {
        guard machine.isOpen else { return }
        guard deflater != nil else { return outgoing.append(opcode, payload, maskKey: maskKey()) }
        var deflated: [UInt8] = []
        payload.withUnsafeBytes { deflater?.deflate($0, to: &deflated) }
        outgoing.append(opcode, deflated, isDeflated: true, maskKey: maskKey())
    }

    func pollReady(_ watch: Watch, _ readiness: Readiness) {
        if !readiness.isDisjoint(with: [.readable, .hangup]) { read() }
        advance()
    }

    private func read() {
        let chunk = EventLoop.main.readChunk
        switch stream.read(into: chunk) {
        case .bytes(let count): machine.bytesArrived(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
        case .wouldBlock: break
        case .endOfStream, .failed: end()
        }
    }

    /// Handles what has come and sends what that makes, as far as the socket takes it.
    private func advance() {
        var hasMore = true
        while hasMore, !hasEnded {
            act()
            hasMore = outgoing.isOverLimit
            switch outgoing.write(to: stream) {
            case .drained: if mayFinishWriting { stream.finishWriting() }
            case .blocked: return watch?.wait(for: outgoing.isOverLimit ? .writable : [.readable, .writable]) ?? ()
            case .failed: return end()
            }
        }
        watch?.wait(for: .readable)
    }

    private func act() {
        while !outgoing.isOverLimit, let action = machine.next(maskKey: maskKey()) { act(action) }
    }

    private func act(_ action: ConnectionMachine.Action) {
        switch action {
        case .deliverText(let message): receiver(self, .text, message)
        case .deliverBinary(let message): receiver(self, .binary, message)
        case .send(let frame): outgoing.append(frame)
        case .pongArrived: break
        case .sendClose(let frame):
            outgoing.append(frame)
            // What the peer sends from now on is read to the end, lest the socket's end take our frame along.
            EventLoop.main.schedule(after: Self.closingPatience) { [weak self] in self?.end() }
        case .endTransport:
            // A client leaves that to the server (RFC 6455, section 7.1.1).
            mayFinishWriting = role == .server
        }
    }

    // MARK: The end

    private func end() {
        guard !hasEnded else { return }
        hasEnded = true
        watch?.cancel()
        watch = nil
        ended()
    }

    /// A client's frames bear a fresh one each.
    private func maskKey() -> UInt32? { role == .client ? .random(in: .min ... .max) : nil }
}
