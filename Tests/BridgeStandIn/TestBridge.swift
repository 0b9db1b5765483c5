import JSONRPC
import JSONScan
import Synchronization
import TinyvexMachine
import TinyvexSync

/// A bridge in the test's process. The test decides what it responds and when its connections break.
public final class TestBridge: Sendable {
    /// The response to a request.
    public struct Reply: Sendable, ExpressibleByStringInterpolation {
        /// The result, as JSON.
        public let result: String
        /// Runs after the result is sent; cancelled when the client unsubscribes.
        public var then: (@Sendable () async throws -> Void)?

        public init(stringLiteral value: String) { result = value }

        public init(_ result: String, then: @escaping @Sendable () async throws -> Void) {
            self.result = result
            self.then = then
        }
    }

    /// Returns the response to a request; nil means that the bridge does not respond.
    public typealias Answer = @Sendable (_ method: String, _ params: JSONValue?, _ peer: InProcessPeer) async -> Reply?

    public let transport: InProcessTransport
    private let record: Record

    private final class Record: Sendable {
        let methods = Mutex<[String]>([])
        let peers = Mutex<[InProcessPeer]>([])
        let answers = Mutex<[String]>([])
    }

    public init(_ answer: @escaping Answer) {
        let record = Record()
        self.record = record
        transport = InProcessTransport { await Self.serve($0, record, answer) }
    }

    /// A client configuration with short delays between connection attempts.
    public static var configuration: SyncConfiguration {
        var configuration = SyncConfiguration(endpoint: .unix(path: "/test"))
        configuration.shortestDelay = .microseconds(100)
        configuration.longestDelay = .milliseconds(1)
        return configuration
    }

    /// The methods of all requests and notifications from clients, in order.
    public var methods: [String] { record.methods.withLock { $0 } }

    public func count(of method: String) -> Int { methods.count { $0 == method } }

    /// The responses from clients, in order.
    public var answers: [String] { record.answers.withLock { $0 } }

    /// The most recent connection.
    public var peer: InProcessPeer? { record.peers.withLock { $0.last } }

    public var connectionCount: Int { record.peers.withLock { $0.count } }

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
            default: record.answers.withLock { $0.append(String(decoding: text, as: UTF8.self)) }
            }
        }
    }
}

/// Waits until the condition is true; returns false if it is not true after 10,000 checks. On an idle machine these
/// take some 15 s. On a busy machine each check waits for its turn like everything else, so they take longer.
public func eventually(_ condition: @Sendable () -> Bool) async -> Bool {
    for _ in 0..<10_000 {
        if condition() { return true }
        await Task.yield()
        try? await Task.sleep(for: .milliseconds(1))
    }
    return condition()
}
