#if canImport(Combine) || COMBINE_STAND_IN
    import Synchronization
    import Testing

    #if COMBINE_STAND_IN
        import CombineStandIn
        @testable import TinyvexClientPortable
    #else
        import Combine
        @testable import TinyvexClient
    #endif

    /// Tests of the publishers with a replacement for the parts of Combine that they use.
    @Suite(.timeLimit(.minutes(10))) struct PublisherTests {
        private func client(_ bridge: TestBridge) -> TinyvexClient {
            var configuration = TinyvexConfiguration(endpoint: TestBridge.url)
            configuration.sync = TestBridge.configuration
            return TinyvexClient(configuration: configuration, transport: bridge.transport)
        }

        /// The values and the completion that a sink received.
        private final class Received<Value: Sendable>: Sendable {
            let values = Mutex<[Value]>([])
            let completion = Mutex<String?>(nil)

            func add(_ value: Value) { values.withLock { $0.append(value) } }

            func complete(_ completion: Subscribers.Completion<some Error>) {
                self.completion.withLock { $0 = "\(completion)" }
            }
        }

        @Test func aSinkReceivesAllValues() async {
            let bridge = TestBridge.pushing("[1]")
            let received = Received<[Int]>()
            let client = client(bridge)
            let publisher: AnyPublisher<[Int], TinyvexError> = client.subscribe("q", as: [Int].self)
            let sink = publisher.sink(receiveCompletion: { received.complete($0) }, receiveValue: { received.add($0) })
            #expect(await eventually { received.values.withLock { $0 == [[1]] } })
            sink.cancel()
            #expect(await eventually { bridge.count(of: "tinyvex/unsubscribe") == 1 })
            #expect(received.completion.withLock { $0 } == nil)
        }

        @Test func aPublisherWithoutASinkDoesNothing() async throws {
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

        @Test func twoSinksOfOnePublisherAreIndependent() async {
            let bridge = TestBridge.pushing("1")
            let client = client(bridge)
            let (first, second) = (Received<Int>(), Received<Int>())
            let publisher: AnyPublisher<Int, TinyvexError> = client.subscribe("q", as: Int.self)
            let sink = publisher.sink(receiveCompletion: { first.complete($0) }, receiveValue: { first.add($0) })
            #expect(await eventually { first.values.withLock { $0 == [1] } })
            let other = publisher.sink(receiveCompletion: { second.complete($0) }, receiveValue: { second.add($0) })
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
            let sink = publisher.sink(receiveCompletion: { received.complete($0) }, receiveValue: { received.add($0) })
            #expect(await eventually { received.completion.withLock { $0?.contains("cannot be decoded") == true } })
            #expect(await eventually { bridge.count(of: "tinyvex/unsubscribe") == 1 })
            _ = sink
        }

        @Test func allUpdatesOfASessionArePublishedInOrder() async {
            let bridge = TestBridge.session(chunk("a"), chunk("b"), chunk("c"))
            let client = client(bridge)
            let received = Received<String>()
            let publisher: AnyPublisher<ACP.Client.SessionNotificationWire, TinyvexError> =
                client.subscribeSessionUpdates(sessionId: "s")
            let sink = publisher.sink(
                receiveCompletion: { received.complete($0) }, receiveValue: { received.add($0.line.description) })
            #expect(await eventually { received.values.withLock { $0 == [chunk("a"), chunk("b"), chunk("c")] } })
            sink.cancel()
        }

        @Test func aPublisherOfUpdatesNamesTheAgent() async {
            let agent = Mutex<String?>(nil)
            let bridge = TestBridge { method, params, _ in
                if method == "tinyvex/subscribe" {
                    agent.withLock { $0 = params?["params"]?["agent"]?.stringValue }
                }
                return "{}"
            }
            let client = client(bridge)
            let publisher: AnyPublisher<ACP.Client.SessionNotificationWire, TinyvexError> =
                client.subscribeSessionUpdates(sessionId: "s", agent: "demo")
            let sink = publisher.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
            #expect(await eventually { agent.withLock { $0 == "demo" } })
            sink.cancel()
        }

        /// A subscriber that requests one value. The test requests the others.
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
                received.add(update.line.description)
                return .none
            }

            func receive(completion: Subscribers.Completion<TinyvexError>) { received.complete(completion) }
        }

        @Test func aSubscriberReceivesOnlyWhatItRequested() async {
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

        @Test func theConnectionStateIsPublished() async throws {
            let client = client(TestBridge { _, _, _ in #"{"value":1}"# })
            let (states, sockets) = (Received<ConnectionState>(), Received<WebSocketState>())
            let sinks = [
                client.connectionState.sink(
                    receiveCompletion: { states.complete($0) }, receiveValue: { states.add($0) }),
                client.watchWebSocketState().sink(
                    receiveCompletion: { sockets.complete($0) }, receiveValue: { sockets.add($0) }),
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
#endif
