import EventLoop
import Posix
import WebSocket

/// One WebSocket in either role, from the end of its handshake to its close. It answers pings and close frames itself,
/// and compresses its messages if the handshake agreed on that.
@LoopActor final class MessageConnection: PollHandler {
    /// Receives a message. `opcode` is text or binary.
    typealias Receiver = @LoopActor (MessageConnection, _ opcode: Opcode, [UInt8]) -> Void

    /// How long a peer can take for its close frame, and then for the end of the stream.
    private static let closingPatience = Duration.seconds(5)

    private let stream: ByteStream
    private let role: MessageAssembler.Role
    private let receiver: Receiver
    private let ended: @LoopActor () -> Void
    private var machine: ConnectionMachine
    private var deflater: Deflater?
    private var outgoing = OutgoingBytes()
    private var watch: Watch?
    /// After the waiting bytes are sent, our side of the stream ends.
    private var mayFinishWriting = false
    private var hasEnded = false

    /// - Parameter ended: Called once, when the socket is no longer used.
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

    /// Starts to read. From then on, the loop keeps the connection alive.
    ///
    /// - Parameter remainder: The bytes that arrived directly after the handshake.
    func start(remainder: [UInt8]) throws(SystemError) {
        watch = try EventLoop.main.watch(stream.fd, .readable, self)
        remainder.withUnsafeBytes { machine.bytesArrived($0) }
        advance()
    }

    /// Sends a message, unless the connection is closing.
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

    /// Handles the received bytes and sends the resulting frames, as far as the socket accepts them.
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
            // The peer's later bytes are read to the end. Otherwise, closing the socket could discard our frame.
            EventLoop.main.schedule(after: Self.closingPatience) { [weak self] in self?.end() }
        case .endTransport:
            // A client leaves closing to the server (RFC 6455, section 7.1.1).
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

    /// Each frame of a client has a fresh key.
    private func maskKey() -> UInt32? { role == .client ? .random(in: .min ... .max) : nil }
}
