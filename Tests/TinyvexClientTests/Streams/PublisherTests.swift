import CombineStandIn
import Synchronization
import Testing

@testable import TinyvexClientWithCombine

/// The publishers, against as much of Combine as they need.
@Suite(.timeLimit(.minutes(2))) struct PublisherTests {
    private func client(_ bridge: TestBridge) -> TinyvexClient {
        var configuration = TinyvexConfiguration(endpoint: TestBridge.url)
        configuration.sync = TestBridge.configuration
        return TinyvexClient(configuration: configuration, transport: bridge.transport)
    }

    /// What a sink gets.
    private final class Received<Value: Sendable>: Sendable {
        let values = Mutex<[Value]>([])
        let completion = Mutex<String?>(nil)

        func take(_ value: Value) { values.withLock { $0.append(value) } }

        func end(_ completion: Subscribers.Completion<some Error>) {
            self.completion.withLock { $0 = "\(completion)" }
        }
    }

    @Test func aSinkGetsValuesFromTheFirstOn() async {
        let bridge = TestBridge.pushing("[1]")
        let received = Received<[Int]>()
        let client = client(bridge)
        let publisher: AnyPublisher<[Int], TinyvexError> = client.subscribe("q", as: [Int].self)
        let sink = publisher.sink(receiveCompletion: { received.end($0) }, receiveValue: { received.take($0) })
        #expect(await eventually { received.values.withLock { $0 == [[1]] } })
        sink.cancel()
        #expect(await eventually { bridge.count(of: "tinyvex/unsubscribe") == 1 })
        #expect(received.completion.withLock { $0 } == nil)
    }

    @Test func aPublisherThatIsBuiltAndDroppedDoesNothing() async throws {
        let bridge = TestBridge { _, _, _ in #"{"value":1}"# }
        let client = client(bridge)
        do {
            let values: AnyPublisher<Int, TinyvexError> = client.subscribe("q", as: Int.self)
            let updates: AnyPublisher<ACP.Client.SessionNotificationWire, TinyvexError> =
                client.subscribeSessionUpdates(sessionId: "s")
            _ = (values, updates)
        }
        try await client.action("a")
        #expect(bridge.methods == ["tinyvex/connect", "tinyvex/action"])
    }

    @Test func twoSinksOnOnePublisherGoTheirOwnWays() async {
        let bridge = TestBridge.pushing("1")
        let client = client(bridge)
        let (first, second) = (Received<Int>(), Received<Int>())
        let publisher: AnyPublisher<Int, TinyvexError> = client.subscribe("q", as: Int.self)
        let sink = publisher.sink(receiveCompletion: { first.end($0) }, receiveValue: { first.take($0) })
        #expect(await eventually { first.values.withLock { $0 == [1] } })
        let other = publisher.sink(receiveCompletion: { second.end($0) }, receiveValue: { second.take($0) })
        #expect(await eventually { second.values.withLock { $0 == [1] } })
        sink.cancel()
        #expect(bridge.count(of: "tinyvex/subscribe") == 1 && bridge.count(of: "tinyvex/unsubscribe") == 0)
        other.cancel()
        #expect(await eventually { bridge.count(of: "tinyvex/unsubscribe") == 1 })
    }

    @Test func aFailureCompletesTheSink() async {
        let bridge = TestBridge.pushing(#""x""#)
        let client = client(bridge)
        let received = Received<Int>()
        let publisher: AnyPublisher<Int, TinyvexError> = client.subscribe(to: "q", yielding: Int.self)
        let sink = publisher.sink(receiveCompletion: { received.end($0) }, receiveValue: { received.take($0) })
        #expect(await eventually { received.completion.withLock { $0?.contains("does not fit") == true } })
        #expect(await eventually { bridge.count(of: "tinyvex/unsubscribe") == 1 })
        _ = sink
    }

    @Test func aSessionsUpdatesAreAllPublishedInOrder() async {
        let bridge = TestBridge.session(chunk("a"), chunk("b"), chunk("c"))
        let client = client(bridge)
        let received = Received<String>()
        let publisher: AnyPublisher<ACP.Client.SessionNotificationWire, TinyvexError> =
            client.subscribeSessionUpdates(sessionId: "s")
        let sink = publisher.sink(
            receiveCompletion: { received.end($0) }, receiveValue: { received.take($0.line.description) })
        #expect(await eventually { received.values.withLock { $0 == [chunk("a"), chunk("b"), chunk("c")] } })
        sink.cancel()
    }

    /// Asks for one value, and for another when the test says so.
    private final class Slow: Subscriber {
        typealias Input = ACP.Client.SessionNotificationWire
        typealias Failure = TinyvexError

        let received: Received<String>
        private(set) var subscription: (any Subscription)?

        init(_ received: Received<String>) { self.received = received }

        func receive(subscription: any Subscription) {
            self.subscription = subscription
            subscription.request(.max(1))
        }

        func receive(_ update: Input) -> Subscribers.Demand {
            received.take(update.line.description)
            return .none
        }

        func receive(completion: Subscribers.Completion<TinyvexError>) { received.end(completion) }
    }

    @Test func aSubscriberGetsNoMoreThanItAskedFor() async {
        let bridge = TestBridge.session(chunk("a"), chunk("b"), chunk("c"))
        let client = client(bridge)
        let received = Received<String>()
        let slow = Slow(received)
        let publisher: AnyPublisher<ACP.Client.SessionNotificationWire, TinyvexError> =
            client.subscribeSessionUpdates(sessionId: "s")
        publisher.receive(subscriber: slow)
        #expect(await eventually { received.values.withLock { $0.count == 1 } })
        slow.subscription?.request(.max(1))
        #expect(await eventually { received.values.withLock { $0.count == 2 } })
        slow.subscription?.cancel()
        #expect(await eventually { bridge.count(of: "tinyvex/unsubscribe") == 1 })
        #expect(received.values.withLock { $0 } == [chunk("a"), chunk("b")])
    }

    @Test func theConnectionsStateIsPublished() async throws {
        let client = client(TestBridge { _, _, _ in #"{"value":1}"# })
        let (states, sockets) = (Received<ConnectionState>(), Received<WebSocketState>())
        let sinks = [
            client.connectionState.sink(receiveCompletion: { states.end($0) }, receiveValue: { states.take($0) }),
            client.watchWebSocketState().sink(
                receiveCompletion: { sockets.end($0) }, receiveValue: { sockets.take($0) }),
        ]
        try await client.action("a")
        #expect(await eventually { states.values.withLock { $0.last == .connected } })
        #expect(await eventually { sockets.values.withLock { $0.last == .connected } })
        client.close()
        #expect(await eventually { states.completion.withLock { $0 } == "finished" })
        #expect(states.values.withLock { $0.last } == .closed)
        _ = sinks
    }
}
