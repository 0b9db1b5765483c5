import JSONScan
import Testing
import TinyvexMachine

@testable import TinyvexSync

@Suite(.timeLimit(.minutes(10))) struct SyncClientTests {
    private let empty = Array("{}".utf8)
    private let session = Array(#"{"sessionId":"s"}"#.utf8)

    @Test func aCallIsAnswered() async throws {
        let bridge = TestBridge { _, params, _ in "\(params?["name"]?.rawString ?? "null")" }
        let client = bridge.client()
        #expect(bridge.connectionCount == 0)
        let value = try await client.call(.action("a", args: empty, requestId: "1", isIdempotent: false))
        #expect(value.rawString == #""a""#)
        #expect(client.connectionState == .connected)
    }

    @Test func manyCallsAtOnceAreEachAnswered() async throws {
        let bridge = TestBridge { _, params, _ in "\(params?["n"]?.rawString ?? "null")" }
        let client = bridge.client()
        try await withThrowingTaskGroup { group in
            for number in 0..<500 {
                group.addTask {
                    let params = JSONWriter.object { $0.member("n", number) }
                    let value = try await client.call(.request("x", params: params, isIdempotent: true))
                    #expect(value.int64Value == Int64(number))
                }
            }
            try await group.waitForAll()
        }
        #expect(bridge.connectionCount == 1)
    }

    @Test func aCancelledCallThrowsAtOnce() async {
        let bridge = TestBridge { _, _, _ in nil }
        let client = bridge.client()
        let call = Task { try await client.call(.request("x", params: empty, isIdempotent: true)) }
        #expect(await eventually { bridge.count(of: "x") == 1 })
        call.cancel()
        await #expect(throws: TinyvexError.cancelled) { try await call.value }
    }

    @Test func aCallOfACancelledTaskThrowsAtOnce() async {
        let bridge = TestBridge { _, _, _ in nil }
        let client = bridge.client()
        let call = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await client.call(.request("x", params: empty, isIdempotent: true))
        }
        await #expect(throws: TinyvexError.cancelled) { try await call.value }
    }

    @Test func aMutationWhoseAnswerIsLostIsRepeated() async throws {
        let bridge = TestBridge { _, params, peer in
            if peer.request.token == nil { return nil }
            return "\(params?["requestId"]?.rawString ?? "null")"
        }
        let client = bridge.client()
        let answer = Task { try await client.call(.mutation("m", args: empty, requestId: "r")) }
        #expect(await eventually { bridge.count(of: "tinyvex/mutation") == 1 })
        client.setToken("t")
        bridge.peer?.cut()
        #expect(try await answer.value.rawString == #""r""#)
        #expect(bridge.count(of: "tinyvex/mutation") == 2)
    }

    @Test func updatesReceivedBeforeTheFirstReadAreNotLost() async throws {
        let bridge = TestBridge { method, _, peer in
            guard method == "tinyvex/subscribe" else { return "{}" }
            return .init(#"{"resumed":true,"startSeq":1,"headSeq":3,"journal":"j"}"#) {
                for kind in ["a", "b", "c"] { try await peer.send(.update(kind)) }
            }
        }
        let client = bridge.client()
        let pieces = client.stream(.sessionUpdates, params: session, from: .after(0))
        #expect(await eventually { bridge.count(of: "tinyvex/subscribe") == 1 })
        var lines = 0
        for try await piece in pieces {
            if case .lines(let run) = piece { lines += run.count }
            if lines == 3 { break }
        }
        #expect(lines == 3)
    }

    @Test func anUnreadStreamIsUnsubscribedWhenReleased() async {
        let bridge = TestBridge { _, _, _ in #"{"startSeq":1,"headSeq":0,"resumed":true}"# }
        let client = bridge.client()
        var pieces: StreamPieces? = client.stream(.sessionUpdates, params: session, from: .now)
        let values = client.values("q", params: empty)
        #expect(await eventually { bridge.count(of: "tinyvex/subscribe") == 2 })
        #expect(pieces != nil)
        pieces = nil
        #expect(await eventually { bridge.count(of: "tinyvex/unsubscribe") == 1 })
        _ = values
    }

    @Test func aReaderWhoseTaskIsCancelledIsUnsubscribed() async {
        let bridge = TestBridge { _, _, _ in #"{"startSeq":1,"headSeq":0,"resumed":true}"# }
        let client = bridge.client()
        let reader = Task {
            for try await _ in client.stream(.sessionUpdates, params: session, from: .now) {}
        }
        #expect(await eventually { bridge.count(of: "tinyvex/subscribe") == 1 })
        reader.cancel()
        #expect(await eventually { bridge.count(of: "tinyvex/unsubscribe") == 1 })
        _ = await reader.result
    }

    @Test func twoReadersOfAValueShareItAndReceiveTheNewest() async throws {
        let bridge = TestBridge { method, params, peer in
            guard method == "tinyvex/subscribe", let subId = params?["subId"]?.rawString else { return "{}" }
            return .init(#"{"startSeq":1,"headSeq":0,"resumed":false}"#) {
                for seq in 1...3 { try await peer.send(.data(subId, seq, "\(seq)")) }
            }
        }
        let client = bridge.client()
        let values = client.values("q", params: empty)
        try await withThrowingTaskGroup { group in
            for _ in 1...2 {
                group.addTask {
                    for try await value in values where value.text == Array("3".utf8) { return }
                }
            }
            try await group.waitForAll()
        }
        #expect(bridge.count(of: "tinyvex/subscribe") == 1)
    }

    @Test func stateChangesAreReported() async {
        let bridge = TestBridge { _, _, _ in "{}" }
        let client = bridge.client()
        var states = client.connectionStates().makeAsyncIterator()
        #expect(await states.next() == .idle(because: nil))
        _ = try? await client.call(.request("x", params: empty, isIdempotent: true))
        #expect(await states.next() == .connected)
        client.close()
        #expect(await states.next() == .closed)
        #expect(await states.next() == nil)
    }

    @Test func sequencesThatBeginAfterTheEndOfTheClientEnd() async throws {
        let client = TestBridge { _, _, _ in "{}" }.client()
        client.close()
        var states = client.connectionStates().makeAsyncIterator()
        #expect(await states.next() == .closed)
        #expect(await states.next() == nil)
        var messages = client.agentMessages().makeAsyncIterator()
        #expect(await messages.next() == nil)
    }

    @Test func aReleasedClientClosesItsConnection() async {
        let bridge = TestBridge { _, _, _ in "{}" }
        var client: SyncClient? = bridge.client()
        _ = try? await client?.call(.request("x", params: empty, isIdempotent: true))
        client = nil
        let peer = bridge.peer
        #expect(await eventually { peer?.isClosed == true })
    }

    @Test func aTokenIsRenewedOnceAndTheCallContinues() async throws {
        let bridge = TestBridge { _, _, peer in #""\#(peer.request.token ?? "")""# }
        bridge.transport.refuse(.unauthorized)
        let client = bridge.client()
        client.setTokenSource { "new" }
        #expect(try await client.call(.request("x", params: empty, isIdempotent: true)).stringValue == "new")
        bridge.transport.refuse(.unauthorized, .unauthorized)
        bridge.peer?.cut()
        await #expect(throws: TinyvexError.unauthorized) {
            try await client.call(.request("x", params: empty, isIdempotent: true))
        }
    }

    @Test func anAgentRequestBeforeAnyReaderIsDelivered() async throws {
        let bridge = TestBridge { _, _, peer in
            try? await peer.send(#"{"jsonrpc":"2.0","id":"p","method":"session/request_permission","params":{}}"#)
            return "{}"
        }
        let client = bridge.client()
        _ = try await client.call(.request("x", params: empty, isIdempotent: true))
        let messages = client.agentMessages()
        _ = try await client.call(.request("x", params: empty, isIdempotent: true))
        var iterator = messages.makeAsyncIterator()
        #expect(await iterator.next()?.method == "session/request_permission")
    }
}
