import BenchMeasuring
import EventLoop
import Posix
import WebSocket

/// The bytes that one socket has not accepted yet. Above `limitBytes`, the owner produces nothing more, so the buffer
/// holds at most that limit plus one message.
struct OutgoingBytes {
    /// Several socket buffers, which is enough to keep the socket busy.
    static let limitBytes = 1 << 20

    private var bytes: [UInt8] = []
    private var sent = 0

    enum Outcome {
        case drained, blocked, failed
    }

    mutating func append(_ frame: [UInt8]) { bytes += frame }

    /// Appends a message as one frame. A frame without a `maskKey` is a server's.
    mutating func append(_ opcode: Opcode, _ payload: [UInt8], isDeflated: Bool = false, maskKey: UInt32?) {
        Frame.append(opcode, payload.span, isDeflated: isDeflated, maskKey: maskKey, to: &bytes)
    }

    var isOverLimit: Bool { bytes.count - sent > Self.limitBytes }

    /// Writes as many bytes as the socket accepts.
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

    /// Compacts only when half of the buffer is sent, so that each byte is moved about once in total.
    private mutating func dropSent() {
        guard sent >= bytes.count / 2 else { return }
        bytes.removeFirst(sent)
        sent = 0
    }
}
