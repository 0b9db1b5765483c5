import JSONScan
import Testing

#if TINYVEX_PORTABLE
    @testable import TinyvexClientPortable
#else
    @testable import TinyvexClient
#endif

@Suite(.timeLimit(.minutes(10))) struct ValueSubscriptionTests {
    private struct Row: Codable, Equatable, Sendable { var n: Int }

    @Test func valuesAreDecoded() async throws {
        let client = TestBridge.pushing(#"{"n":1}"#, #"{"n":2}"#).client()
        var last = 0
        for try await row in client.subscribe("q", as: Row.self) {
            #expect(row.n > last)
            last = row.n
            if last == 2 { break }
        }
        #expect(last == 2)
    }

    @Test func aValueBeforeTheIterationIsKept() async throws {
        let bridge = TestBridge.pushing("[1]")
        let client = bridge.client()
        let values = client.subscribe("q", as: [Int].self)
        #expect(await eventually { bridge.count(of: "tinyvex/subscribe") == 1 })
        var iterator = values.makeAsyncIterator()
        #expect(try await iterator.next() == [1])
    }

    @Test func aReleasedSubscriptionIsUnsubscribed() async throws {
        let bridge = TestBridge.pushing("1")
        let client = bridge.client()
        do {
            let values = client.subscribe("q", as: Int.self)
            #expect(await eventually { bridge.count(of: "tinyvex/subscribe") == 1 })
            _ = values
        }
        #expect(await eventually { bridge.count(of: "tinyvex/unsubscribe") == 1 })
    }

    @Test func anAsyncThrowingStreamDeliversTheValuesAndIsUnsubscribedWithItsReader() async throws {
        let bridge = TestBridge.pushing("1")
        let client = bridge.client()
        do {
            let values: AsyncThrowingStream<Int, any Error> = client.subscribe("q", as: Int.self)
            for try await value in values {
                #expect(value == 1)
                break
            }
        }
        #expect(await eventually { bridge.count(of: "tinyvex/unsubscribe") == 1 })
    }

    @Test func anAsyncThrowingStreamEndsWhenItsTaskIsCancelled() async throws {
        let bridge = TestBridge.pushing()
        let client = bridge.client()
        let values: AsyncThrowingStream<Int, any Error> = client.subscribe("q", as: Int.self)
        let reader = Task { for try await _ in values {} }
        #expect(await eventually { bridge.count(of: "tinyvex/subscribe") == 1 })
        reader.cancel()
        try await reader.value
    }

    @Test func equalParamsShareOneSubscription() async throws {
        struct Forward: Encodable { var a = 1, b = 2 }
        struct Backward: Encodable { var b = 2, a = 1 }
        let bridge = TestBridge.pushing("1")
        let client = bridge.client()
        var first = client.subscribe("q", params: Forward(), as: Int.self).makeAsyncIterator()
        #expect(try await first.next() == 1)
        var second = client.subscribe(to: "q", with: ["b": 2, "a": 1], yielding: Int.self).makeAsyncIterator()
        #expect(try await second.next() == 1)
        var third = client.subscribe("q", params: Backward(), as: Int.self).makeAsyncIterator()
        #expect(try await third.next() == 1)
        #expect(bridge.count(of: "tinyvex/subscribe") == 1)
    }

    @Test func afterAnInvalidValueTheNextOneCanBeRead() async throws {
        let (firstRead, continuation) = AsyncStream<Void>.makeStream()
        let bridge = TestBridge { method, params, peer in
            guard method == "tinyvex/subscribe", let subId = params?["subId"]?.rawString else { return "{}" }
            return .init(#"{"accepted":true,"resumed":false,"startSeq":1,"journal":""}"#) {
                try await peer.send(.data(subId, 1, #"{"n":"x"}"#))
                // A slow reader receives only the newest value.
                for await _ in firstRead {}
                try await peer.send(.data(subId, 2, #"{"n":2}"#))
            }
        }
        let client = bridge.client()
        var values = client.subscribe("q", as: Row.self).makeAsyncIterator()
        do {
            _ = try await values.next()
            Issue.record("the value was decoded")
        } catch {
            guard case .decoding(let fault) = error else { throw error }
            #expect(fault.path == "n")
        }
        continuation.finish()
        #expect(try await values.next() == Row(n: 2))
    }

    @Test func aRejectedSubscriptionThrowsTheBridgesError() async throws {
        let bridge = TestBridge { method, _, peer in
            guard method == "tinyvex/subscribe" else { return "{}" }
            try? await peer.send(
                #"{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"no such value","data":{"code":"TVX002"}}}"#)
            return nil
        }
        let client = bridge.client()
        await #expect {
            for try await _ in client.subscribe("nonesuch", as: Int.self) {}
        } throws: {
            guard case .server("TVX002", "no such value", let data?) = $0 as? TinyvexError else { return false }
            return data["code"]?.stringValue == "TVX002"
        }
    }

    @Test func aSubscriptionWithInvalidParamsThrowsOnceAndEnds() async throws {
        let client = TestBridge.pushing().client()
        var values = client.subscribe("q", params: [1], as: Int.self).makeAsyncIterator()
        await #expect(throws: TinyvexError.self) { _ = try await values.next() }
        #expect(try await values.next() == nil)
    }

    @Test func aQueryReturnsTheCurrentValue() async throws {
        let bridge = TestBridge.pushing("[7]")
        let client = bridge.client()
        #expect(try await client.query("q", as: [Int].self) == [7])
        #expect(await eventually { bridge.count(of: "tinyvex/unsubscribe") == 1 })
    }

    @Test func aSessionStreamSubscribedByNameDeliversEveryLine() async throws {
        let client = TestBridge.session(chunk("a"), chunk("b"), chunk("c")).client()
        var texts: [String] = []
        for try await line in client.subscribe("acp:sessionUpdates", params: ["sessionId": "s"], as: RawJSON.self) {
            texts.append(line.description)
            if texts.count == 3 { break }
        }
        #expect(texts == [chunk("a"), chunk("b"), chunk("c")])
    }
}
