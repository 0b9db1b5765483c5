import EventLoop
import WebSocket

/// One WebSocket in either role, from behind its handshake to its end. Pings and close frames it answers itself.
@LoopActor final class MessageConnection: PollHandler {
    /// What is done with a message; `opcode` is text or binary.
    typealias Receiver = @LoopActor (MessageConnection, _ opcode: Opcode, [UInt8]) -> Void

    /// How long a peer may take for its close frame, and then for the end of the stream.
    private static let closingPatience = Duration.seconds(5)

    private let stream: ByteStream
    private let role: MessageAssembler.Role
    private let receiver: Receiver
    private let ended: @LoopActor () -> Void
    private var assembler: MessageAssembler
    private var closing = Closing.open
    private var outgoing = OutgoingBytes()
    private var watch: Watch?
    private var hasEnded = false

    /// - Parameter ended: called once, when the socket is done with.
    init(
        _ stream: consuming ByteStream, role: MessageAssembler.Role, receiver: @escaping Receiver,
        ended: @escaping @LoopActor () -> Void = {}
    ) {
        self.stream = stream
        self.role = role
        self.receiver = receiver
        self.ended = ended
        assembler = MessageAssembler(role: role)
    }

    /// Begins to read; the loop keeps the connection from then on.
    ///
    /// - Parameter remainder: what came right behind the handshake.
    func start(remainder: [UInt8]) throws(SystemError) {
        watch = try EventLoop.main.watch(stream.fd, .readable, self)
        remainder.withUnsafeBytes { assembler.append($0) }
        advance()
    }

    /// Sends a message, unless the connection is being closed.
    func send(_ opcode: Opcode, _ payload: [UInt8]) {
        guard closing.allowsMessages else { return }
        outgoing.append(opcode, payload, maskKey: maskKey())
    }

    func pollReady(_ watch: Watch, _ readiness: Readiness) {
        if !readiness.isDisjoint(with: [.readable, .hangup]) { read() }
        advance()
    }

    private func read() {
        let chunk = EventLoop.main.readChunk
        switch stream.read(into: chunk) {
        case .bytes(let count): assembler.append(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
        case .wouldBlock: break
        case .endOfStream, .failed: end()
        }
    }

    /// Handles what has come and sends what that makes, as far as the socket takes it.
    private func advance() {
        var hasMore = true
        while hasMore, !hasEnded {
            handleEvents()
            hasMore = outgoing.isOverLimit
            switch outgoing.write(to: stream) {
            case .drained: if mayFinishWriting { stream.finishWriting() }
            case .blocked: return watch?.wait(for: outgoing.isOverLimit ? .writable : [.readable, .writable]) ?? ()
            case .failed: return end()
            }
        }
        watch?.wait(for: .readable)
    }

    private func handleEvents() {
        do throws(ProtocolViolation) {
            while !outgoing.isOverLimit, let event = try assembler.next() { handle(event) }
        } catch {
            close(Frame.close(error, maskKey: maskKey()))
        }
    }

    private func handle(_ event: MessageAssembler.Event) {
        switch event {
        case .text(let message): receiver(self, .text, message)
        case .binary(let message): receiver(self, .binary, message)
        case .ping(let payload): outgoing.append(Frame.pong(payload, maskKey: maskKey()))
        case .pong: break
        case .close(let code, _):
            if closing.closeFrameReceived() == .answer { close(Frame.close(code, maskKey: maskKey())) }
        }
    }

    // MARK: The end

    /// Sends our close frame; what the peer sends then is read to the end, lest the socket's end take it along.
    private func close(_ frame: [UInt8]) {
        outgoing.append(frame)
        _ = closing.closeFrameSent()
        EventLoop.main.schedule(after: Self.closingPatience) { [weak self] in self?.end() }
    }

    /// A server ends the stream behind its close frame; a client leaves that to the server (RFC 6455, section 7.1.1).
    private var mayFinishWriting: Bool { role == .server && !closing.allowsMessages }

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
