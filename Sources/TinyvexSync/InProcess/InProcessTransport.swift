import Synchronization
import TinyvexTransport

/// An in-process transport for tests of this library and of programs that use it. The test plays the bridge.
///
///     let bridge = InProcessTransport { peer in
///         while let request = try? await peer.receive() { … }
///     }
public final class InProcessTransport: Transport {
    /// Bytes that can wait in either direction before the writer has to wait.
    public static let limitBytes = 256 << 10

    private let serve: @Sendable (InProcessPeer) async -> Void
    private let refusals = Mutex<[TransportFailure]>([])

    /// - Parameter serve: plays the bridge on each connection, in its own task.
    public init(serve: @escaping @Sendable (InProcessPeer) async -> Void) { self.serve = serve }

    /// Makes the next connection attempts fail with these failures, one failure per attempt.
    public func refuse(_ failures: TransportFailure...) { refusals.withLock { $0 += failures } }

    public func connect(_ request: ConnectionRequest) async throws(TransportFailure) -> any TransportConnection {
        if let refusal = refusals.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw refusal }
        let peer = InProcessPeer(request)
        Task { await serve(peer) }
        return InProcessConnection(peer)
    }
}

/// The bridge's end of an in-process connection.
public final class InProcessPeer: Sendable {
    /// The client's connection request.
    public let request: ConnectionRequest
    let toClient = MessageChannel(limitBytes: InProcessTransport.limitBytes)
    let toBridge = MessageChannel(limitBytes: InProcessTransport.limitBytes)
    private let unread = Mutex<[[UInt8]]>([])

    init(_ request: ConnectionRequest) { self.request = request }

    /// Returns the client's next message. Throws if the client has closed the connection. Only one caller at a time.
    public func receive() async throws(TransportFailure) -> [UInt8] {
        while true {
            if let text = unread.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return text }
            let batch = try await toBridge.receive()
            unread.withLock { unread in
                for index in 0..<batch.count { unread.append(Array(batch.bytes[batch[index]])) }
            }
        }
    }

    public func send(_ text: String) async throws(TransportFailure) { try await send(Array(text.utf8)) }

    public func send(_ text: [UInt8]) async throws(TransportFailure) { try await toClient.send(text) }

    /// True if either side has ended the connection.
    public var isClosed: Bool { toClient.hasEnded }

    /// Closes in order: the client first receives everything that was sent, and then this close.
    public func close(code: UInt16, reason: String = "") {
        toClient.end(.closed(code: code, reason: reason))
        toBridge.end(.closed(code: code, reason: reason))
    }

    /// Breaks the connection and drops everything in transit.
    public func cut() {
        toClient.end(.lost(reason: "cut"), discarding: true)
        toBridge.end(.lost(reason: "cut"), discarding: true)
    }
}

private final class InProcessConnection: TransportConnection {
    private let peer: InProcessPeer
    private let heard = Mutex(ContinuousClock.Instant.now)

    init(_ peer: InProcessPeer) { self.peer = peer }

    deinit { end(code: nil) }

    var lastHeard: ContinuousClock.Instant { heard.withLock { $0 } }

    func receive() async throws(TransportFailure) -> MessageBatch {
        let batch = try await peer.toClient.receive()
        heard.withLock { $0 = .now }
        return batch
    }

    func send(_ texts: [[UInt8]]) async throws(TransportFailure) {
        for text in texts { try await peer.toBridge.send(text) }
    }

    func close(code: UInt16) async { end(code: code) }

    private func end(code: UInt16?) {
        peer.toBridge.end(.closed(code: code, reason: ""))
        peer.toClient.end(.closed(code: code, reason: ""), discarding: true)
    }
}
