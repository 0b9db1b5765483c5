import BenchLoad
import BenchMeasuring
import EventLoop
import Posix
import WebSocket

/// A reader with a policy that reads a fixed number of bytes per second. It answers a ping when it reads it, and
/// records the age of each update.
package final class SlowReader {
    private let client: WebSocketClient
    private let bytesPerSecond: Double
    private var assembler = MessageAssembler(role: .client, limits: MessageLimits(messageBytes: .max))
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)
    private var budgetBytes = 0.0
    private var lastRead = Instant.now
    package private(set) var ages = Latencies()

    package init(_ daemon: BridgeDaemon, sessionId: String, policy: String, bytesPerSecond: Double) throws {
        let client = try BlockingClient(daemon)
        try Subscriber.subscribe(client, sessionId, nil, policy: policy)
        self.client = client.socket
        self.bytesPerSecond = bytesPerSecond
        client.socket.unread.withUnsafeBytes { assembler.append($0) }
    }

    package func forgetAges() { ages.removeAll() }

    /// Reads the bytes that are due since the last call. Bytes that were not available in time are not caught up later.
    package func read(at now: Instant) throws {
        budgetBytes = min(budgetBytes + bytesPerSecond * (now - lastRead).seconds, max(1_000, bytesPerSecond / 10))
        lastRead = now
        while budgetBytes >= 1 {
            let limit = min(buffer.count, Int(budgetBytes))
            switch buffer.withUnsafeMutableBytes({ client.read(into: .init(rebasing: $0[..<limit])) }) {
            case .bytes(let count):
                budgetBytes -= Double(count)
                buffer[..<count].withUnsafeBytes { assembler.append($0) }
                try handleMessages()
            case .wouldBlock: return
            case .endOfStream, .failed: throw BenchFailure("the bridge closed a slow reader's connection")
            }
        }
    }

    private func handleMessages() throws {
        while let event = try assembler.next() {
            switch event {
            case .text(let message): note(message)
            case .ping(let payload): try client.send(frame: Frame.pong(payload, maskKey: 0x5bad_c0de))
            case .binary, .pong: break
            case .close: throw BenchFailure("the bridge sent a close frame to a slow reader")
            }
        }
    }

    private func note(_ message: [UInt8]) {
        guard message.count > UpdateLine.stampOffset else { return }
        message.withUnsafeBytes { bytes in
            if let stamp = Stamp.read(UnsafeRawBufferPointer(rebasing: bytes[UpdateLine.stampOffset...])) {
                ages.add(Instant.now.nanoseconds - stamp)
            }
        }
    }
}
