import EventLoop
import JSONScan
import Posix
import Synchronization
import TestSupport
import Testing
import TinyvexMachine
import TinyvexSockets
import TinyvexSync
import TinyvexTransport

/// A server of one session on a Unix socket. It breaks its first connections inside of a frame, each after a random number
/// of updates.
private final class BreakingServer: Sendable {
    let endpoint: Endpoint
    private let folder = TemporaryFolder()
    private let script: ScriptThread
    private let broken: Count

    private final class Count: Sendable {
        let value = Mutex(0)
    }

    init(updates: Int, losses: Int) throws {
        var generator = SeededGenerator(seed: 15)
        // Together less than all updates, so that each of these connections breaks.
        let lives = (0..<losses).map { _ in Int.random(in: 0..<updates / losses, using: &generator) }
        let listener = try Sockets.listen(on: .unix(path: folder.path + "/s"))
        endpoint = .unix(path: folder.path + "/s")
        let raw = listener.release()
        let broken = Count()
        self.broken = broken
        script = try ScriptThread {
            let listener = Descriptor(owning: raw)
            for life in lives {
                try Self.serve(try ScriptedPeer(acceptingOn: listener), updates, life)
                broken.value.withLock { $0 += 1 }
            }
            try Self.serve(try ScriptedPeer(acceptingOn: listener), updates, nil)
        }
    }

    var brokenCount: Int { broken.value.withLock { $0 } }

    func finish() async throws { try await script.finish() }

    private static func serve(_ peer: ScriptedPeer, _ updates: Int, _ life: Int?) throws {
        try peer.openWebSocket()
        while let event = try peer.next() {
            guard case .text(let text) = event, let request = try? JSONValue(validating: text),
                let id = request["id"]?.rawString
            else { continue }
            guard request["method"]?.stringValue == "tinyvex/subscribe" else {
                try peer.send(.text, Array(#"{"jsonrpc":"2.0","id":\#(id),"result":{}}"#.utf8))
                continue
            }
            let start = Int(request["params"]?["lastSeq"]?.int64Value ?? 0) + 1
            let result = #"{"resumed":true,"startSeq":\#(start),"headSeq":\#(updates),"journal":"j"}"#
            try peer.send(.text, Array(#"{"jsonrpc":"2.0","id":\#(id),"result":\#(result)}"#.utf8))
            let end = min(updates, life.map { start + $0 - 1 } ?? updates)
            try send(start, through: end, on: peer)
            guard life == nil else { return try peer.send(frame(end + 1).dropLast(7)) }
        }
    }

    private static func send(_ first: Int, through last: Int, on peer: ScriptedPeer) throws {
        var bytes: [UInt8] = []
        for number in stride(from: first, through: last, by: 1) {
            bytes += frame(number)
            guard bytes.count > 32 << 10 || number == last else { continue }
            try peer.send(bytes)
            bytes = []
        }
    }

    private static func frame(_ number: Int) -> [UInt8] { ScriptedPeer.frame(.text, Array(line(number).utf8)) }

    /// The kind of the update is its number.
    static func line(_ number: Int) -> String {
        #"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","#
            + #""update":{"sessionUpdate":"\#(number)"}}}"#
    }
}

/// A session's stream over sockets that break inside of frames.
@Suite(.timeLimit(.minutes(10))) struct SocketLossTests {
    private static let updates = 100_000
    private static let losses = 200

    @Test func everyUpdateArrivesOnceInOrderOverManyBrokenSockets() async throws {
        let server = try BreakingServer(updates: Self.updates, losses: Self.losses)
        var configuration = SyncConfiguration(endpoint: server.endpoint)
        configuration.shortestDelay = .microseconds(100)
        configuration.longestDelay = .milliseconds(1)
        let client = SyncClient(configuration, transport: SocketTransport())
        var next = 1
        let pieces = client.stream(.sessionUpdates, params: Array(#"{"sessionId":"s"}"#.utf8), from: .after(0))
        for try await piece in pieces {
            guard case .lines(let run) = piece else { continue }
            #expect(run.firstSeq == Int64(next))
            for index in 0..<run.count {
                guard String(decoding: run[index], as: UTF8.self) == BreakingServer.line(next) else {
                    Issue.record("update \(next) is next; received \(String(decoding: run[index], as: UTF8.self))")
                    return client.close()
                }
                next += 1
            }
            if next > Self.updates { break }
        }
        #expect(next == Self.updates + 1 && server.brokenCount == Self.losses)
        client.close()
        try await server.finish()
    }
}
