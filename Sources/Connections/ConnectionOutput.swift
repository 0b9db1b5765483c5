import EventLoop
import WebSocket

/// The destination of a connection's frames: a socket, or a decoder that passes the messages on in this process.
@LoopActor package enum ConnectionOutput: ~Copyable {
    case socket(ByteStream)
    case decoder(FrameDecoder)

    var fd: Int32 {
        switch self {
        case .socket(let stream): stream.fd
        case .decoder: -1
        }
    }

    /// See ``ByteStream/waitingBytes``. Nothing is read from a decoder.
    var waitingBytes: Int {
        switch self {
        case .socket(let stream): stream.waitingBytes
        case .decoder: 0
        }
    }

    /// See ``ByteStream/holdsBytes``. A decoder refuses bytes that it has no room for.
    var holdsBytes: Bool {
        switch self {
        case .socket(let stream): stream.holdsBytes
        case .decoder: false
        }
    }

    /// See ``ByteStream/takesReferences``.
    var takesReferences: Bool {
        switch self {
        case .socket(let stream): stream.takesReferences
        case .decoder: false
        }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
        switch self {
        case .socket(let stream): stream.read(into: buffer)
        case .decoder: .wouldBlock
        }
    }

    func write(_ outgoing: OutgoingBytes) -> WriteOutcome {
        switch self {
        case .socket(let stream):
            return stream.write(outgoing)
        case .decoder(let decoder):
            let count = decoder.decode(outgoing.bytes)
            return count > 0 ? .wrote(count) : .wouldBlock
        }
    }

    func flush() -> WriteOutcome {
        switch self {
        case .socket(let stream): stream.flush()
        case .decoder: .wrote(0)
        }
    }

    func finishWriting() {
        switch self {
        case .socket(let stream): stream.finishWriting()
        case .decoder: break
        }
    }
}

extension ConnectionWriter {
    package convenience init(
        stream: consuming ByteStream, deflate: PermessageDeflate.Direction?, turns: FairScheduler,
        interestChanged: @escaping @LoopActor () -> Void
    ) {
        self.init(output: .socket(stream), deflate: deflate, turns: turns, interestChanged: interestChanged)
    }
}
