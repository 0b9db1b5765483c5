import JSONRPC
import JSONScan
import Synchronization

@testable import TinyvexSync

/// A bridge in this process that serves what a test says, and breaks when the test says so.
final class TestBridge: Sendable {
    /// What it says to a request.
    struct Reply: Sendable, ExpressibleByStringInterpolation {
        /// As JSON.
        let result: String
        /// Done once the result is sent, until it is unsubscribed.
        var then: (@Sendable () async throws -> Void)?

        init(stringLiteral value: String) { result = value }

        init(_ result: String, then: @escaping @Sendable () async throws -> Void) {
            self.result = result
            self.then = then
        }
    }

    /// Nil: it says nothing.
    typealias Answer = @Sendable (_ method: String, _ params: JSONValue?, _ peer: InProcessPeer) async -> Reply?

    let transport: InProcessTransport
    private let record: Record

    private final class Record: Sendable {
        let methods = Mutex<[String]>([])
        let peers = Mutex<[InProcessPeer]>([])
    }

    init(_ answer: @escaping Answer) {
        let record = Record()
        self.record = record
        transport = InProcessTransport { await Self.serve($0, record, answer) }
    }

    func client(_ adjust: (inout SyncConfiguration) -> Void = { _ in }) -> SyncClient {
        var configuration = SyncConfiguration(endpoint: .unix(path: "/test"))
        configuration.shortestDelay = .microseconds(100)
        configuration.longestDelay = .milliseconds(1)
        adjust(&configuration)
        return SyncClient(configuration, transport: transport)
    }

    /// The methods that were asked for, in order.
    var methods: [String] { record.methods.withLock { $0 } }

    func count(of method: String) -> Int { methods.count { $0 == method } }

    /// The connection that was made last.
    var peer: InProcessPeer? { record.peers.withLock { $0.last } }

    var connectionCount: Int { record.peers.withLock { $0.count } }

    private static func serve(_ peer: InProcessPeer, _ record: Record, _ answer: Answer) async {
        record.peers.withLock { $0.append(peer) }
        var streaming: Task<Void, any Error>?
        while let text = try? await peer.receive(), let value = try? JSONValue(validating: text) {
            switch Message(value) {
            case .request(let id, let method, let params):
                record.methods.withLock { $0.append(method) }
                if method == "tinyvex/unsubscribe" {
                    streaming?.cancel()
                    _ = await streaming?.result
                }
                guard let reply = method == "tinyvex/connect" ? "{}" : await answer(method, params, peer) else {
                    continue
                }
                try? await peer.send(MessageText.response(id: id, rawResult: Array(reply.result.utf8)))
                if let then = reply.then { streaming = Task { try await then() } }
            case .notification(let method, _): record.methods.withLock { $0.append(method) }
            default: continue
            }
        }
    }
}

/// Waits until it is so; false when it never is.
func eventually(_ condition: @Sendable () -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + .seconds(20)
    while !condition() {
        if ContinuousClock.now > deadline { return false }
        await Task.yield()
        try? await Task.sleep(for: .milliseconds(1))
    }
    return true
}
