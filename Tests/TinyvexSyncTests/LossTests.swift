import JSONScan
import Synchronization
import Testing
import TinyvexMachine
import TinyvexTransport

@testable import TinyvexSync

/// A session's stream over a connection that breaks repeatedly, and with a slow reader.
@Suite(.timeLimit(.minutes(10))) struct LossTests {
    /// Serves a session of `count` updates. The kind of each update is its number. Breaks each connection after
    /// `breaks` more updates.
    private func bridge(_ count: Int, breaks: @escaping @Sendable () -> Int?) -> TestBridge {
        TestBridge { method, params, peer in
            guard method == "tinyvex/subscribe", params?["name"]?.stringValue != "q" else { return "{}" }
            let start = Int(params?["lastSeq"]?.int64Value ?? 0) + 1
            let length = breaks()
            return .init(#"{"resumed":true,"startSeq":\#(start),"headSeq":\#(count),"journal":"j"}"#) {
                for number in start..<max(start, count + 1) {
                    try Task.checkCancellation()
                    if let length, number == start + length { return peer.cut() }
                    try await peer.send(.update("\(number)"))
                }
            }
        }
    }

    /// Reads until `count` updates have arrived. Returns true if each arrived once and in order.
    ///
    /// - Parameter pause: Read slowly, so that updates wait on the way. No result depends on the length of the pause.
    private func readAll(_ pieces: StreamPieces, _ count: Int, pause: Bool = false) async throws -> Bool {
        var next: Int64 = 1
        for try await piece in pieces {
            guard case .lines(let run) = piece else { continue }
            guard run.firstSeq == next else { return false }
            for index in 0..<run.count {
                let line = String(decoding: run[index], as: UTF8.self)
                guard line == .update("\(next)") else { return false }
                next += 1
            }
            if pause { try await Task.sleep(for: .milliseconds(1)) }
            if next > count { return true }
        }
        return false
    }

    @Test func everyUpdateIsDeliveredOnceInOrderOverManyLostConnections() async throws {
        let random = Mutex(SeededRandom(seed: 7))
        let bridge = bridge(100_000) { random.withLock { Int.random(in: 0...800, using: &$0) } }
        let client = bridge.client()
        let pieces = client.stream(.sessionUpdates, params: Array(#"{"sessionId":"s"}"#.utf8), from: .after(0))
        #expect(try await readAll(pieces, 100_000))
        #expect(bridge.connectionCount > 200)
    }

    @Test func aSlowReaderAloneLosesNothing() async throws {
        let bridge = bridge(20_000) { nil }
        let client = bridge.client { $0.streamLimitBytes = 20_000 }
        let pieces = client.stream(.sessionUpdates, params: Array(#"{"sessionId":"s"}"#.utf8), from: .after(0))
        #expect(try await readAll(pieces, 20_000, pause: true))
        #expect(bridge.count(of: "tinyvex/unsubscribe") == 0)
    }

    @Test func aStreamCanHaveALowerLimitThanItsClient() async throws {
        let bridge = bridge(1_000) { nil }
        let client = bridge.client()
        let values = client.values("q", params: Array("{}".utf8))
        let pieces = client.stream(
            .sessionUpdates, params: Array(#"{"sessionId":"s"}"#.utf8), from: .after(0), limitBytes: 20_000)
        #expect(await eventually { bridge.count(of: "tinyvex/unsubscribe") == 1 })
        #expect(try await readAll(pieces, 1_000))
        _ = values
    }

    @Test func aSlowReaderLosesNothingAndDelaysNoOthers() async throws {
        let bridge = bridge(5_000) { nil }
        let client = bridge.client { $0.streamLimitBytes = 20_000 }
        let values = client.values("q", params: Array("{}".utf8))
        let pieces = client.stream(.sessionUpdates, params: Array(#"{"sessionId":"s"}"#.utf8), from: .after(0))
        async let isWhole = readAll(pieces, 5_000, pause: true)
        let call = Call.request("x", params: Array("{}".utf8), isIdempotent: true)
        for _ in 1...20 { _ = try await client.call(call) }
        #expect(try await isWhole)
        _ = values
    }
}
