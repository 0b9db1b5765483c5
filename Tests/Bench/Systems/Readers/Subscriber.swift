import BenchLoad
import BenchMeasuring
import EventLoop
import Glibc
import JSONScan
import Posix

/// One reader of a session's updates. It counts them, and measures their latency if they have stamps.
package final class Subscriber: PollSource {
    private let client: WebSocketClient
    private let readsStamps: Bool
    /// A relay also sends the agent's responses to its readers. They count as updates. From a bridge, they would be
    /// errors.
    private let takesAnswers: Bool
    private var frames = FrameWalker()
    package private(set) var updates = 0
    private var expectation: (total: Int, waiting: Countdown)?
    private(set) var latencies = Latencies()

    /// Reads everything that `client` receives from now on.
    init(_ client: WebSocketClient, readsStamps: Bool = false, takesAnswers: Bool = false) throws {
        self.client = client
        self.readsStamps = readsStamps
        self.takesAnswers = takesAnswers
        let unread = client.unread
        try unread.withUnsafeBytes { try handle($0) }
    }

    /// Notifies `waiting` after `count` more updates have arrived.
    package func expect(_ count: Int, _ waiting: Countdown) {
        latencies.removeAll()
        expectation = (updates + count, waiting)
        waiting.left += 1
    }

    // MARK: Reading

    package var fd: Int32 { client.fd }

    package func readReady(into buffer: UnsafeMutableRawBufferPointer) throws {
        switch client.read(into: buffer) {
        case .bytes(let count): try handle(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        case .wouldBlock: break
        case .endOfStream, .failed: throw BenchFailure("the server closed a reader's connection")
        }
    }

    private func handle(_ chunk: UnsafeRawBufferPointer) throws {
        let now = readsStamps ? Instant.now.nanoseconds : 0
        var complaints: [String] = []
        updates += try count(in: chunk) { payload in
            if !takesAnswers, !Self.isUpdate(payload) { complaints.append(String(decoding: payload, as: UTF8.self)) }
            if readsStamps { noteLatency(payload, now) }
        }
        updates -= complaints.count
        guard let expectation else { return }
        if updates >= expectation.total {
            self.expectation = nil
            expectation.waiting.left -= 1
        } else if let complaint = complaints.first {
            throw BenchFailure("the bridge sent a message that is not an update to a reader: \(complaint)")
        }
    }

    /// The number of messages that end in the chunk. Compressed messages are decompressed to count them.
    private func count(in chunk: UnsafeRawBufferPointer, began: (UnsafeRawBufferPointer) -> Void) throws -> Int {
        try client.isDeflated ? client.messages(in: chunk, began) : frames.walk(chunk, began: began)
    }

    /// Determined by the first letter of the method, which is at the same offset in all messages of the bridge.
    private static func isUpdate(_ payload: UnsafeRawBufferPointer) -> Bool {
        payload.count <= methodOffset || payload[methodOffset] == UInt8(ascii: "s")
    }

    private static let methodOffset = "{\"jsonrpc\":\"2.0\",\"method\":\"".utf8.count

    private func noteLatency(_ payload: UnsafeRawBufferPointer, _ now: Int64) {
        guard payload.count > UpdateLine.stampOffset else { return }
        if let stamp = Stamp.read(UnsafeRawBufferPointer(rebasing: payload[UpdateLine.stampOffset...])) {
            latencies.add(now - stamp)
        }
    }
}

extension Subscriber {
    /// Subscribes to one session of a bridge.
    ///
    /// - Parameter lastSeq: The number after which to begin, or nil for new updates only.
    package convenience init(_ daemon: BridgeDaemon, sessionId: String, lastSeq: Int64?, readsStamps: Bool = false)
        throws
    {
        let client = try BlockingClient(daemon)
        try Self.subscribe(client, sessionId, lastSeq)
        try self.init(client.socket, readsStamps: readsStamps)
    }

    /// A session can be read after its first lines have reached the log, which can be shortly after its agent returned
    /// its id.
    package static func subscribe(
        _ client: BlockingClient, _ sessionId: String, _ lastSeq: Int64?, policy: String? = nil
    ) throws {
        let deadline = Instant.now + RunningProgram.patience
        while true {
            do {
                _ = try client.call("tinyvex/subscribe") { writer in
                    writer.member("subId", "s")
                    writer.member("name", "acp:sessionUpdates")
                    writer.memberObject("params") { $0.member("sessionId", sessionId) }
                    writer.member("lastSeq", ifPresent: lastSeq)
                    writer.member("policy", ifPresent: policy)
                }
                return
            } catch let refusal as BlockingClient.Refusal {
                guard refusal.code == "TVX008", Instant.now < deadline else { throw refusal }
                usleep(1_000)
            }
        }
    }
}

/// The number of readers that have not received everything yet.
package final class Countdown {
    package var left = 0

    package init() {}
}
