import EventLoop
import WebSocket

/// What one socket has not taken yet. Over `limitBytes` its owner makes nothing more to send: so it holds at most that
/// and one message.
struct OutgoingBytes {
    /// Several socket buffers' worth: enough to keep the socket busy.
    static let limitBytes = 1 << 20

    private var bytes: [UInt8] = []
    private var sent = 0

    enum Outcome {
        case drained, blocked, failed
    }

    mutating func append(_ frame: [UInt8]) { bytes += frame }

    /// Appends a message as one frame. Without a `maskKey` it is a server's.
    mutating func append(_ opcode: Opcode, _ payload: [UInt8], isDeflated: Bool = false, maskKey: UInt32?) {
        Frame.append(opcode, payload.span, isDeflated: isDeflated, maskKey: maskKey, to: &bytes)
    }

    var isOverLimit: Bool { bytes.count - sent > Self.limitBytes }

    /// Writes what the socket takes.
    mutating func write(to stream: borrowing ByteStream) -> Outcome {
        while sent < bytes.count {
            let outcome = bytes.withUnsafeBytes { stream.write(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
            switch outcome {
            case .wrote(let count): sent += count
            case .wouldBlock:
                dropSent()
                return .blocked
            case .failed: return .failed
            }
        }
        bytes = []
        sent = 0
        return .drained
    }

    /// Only when half of the buffer is waste: so all the dropping together moves each byte about once.
    private mutating func dropSent() {
        guard sent >= bytes.count / 2 else { return }
        bytes.removeFirst(sent)
        sent = 0
    }
}
