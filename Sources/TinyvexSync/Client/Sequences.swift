import TinyvexMachine

/// The pieces of a session's stream or timeline.
///
/// The subscription starts when the sequence is made. Each iteration has its own subscription, which ends when the
/// iterator is released; the first iteration begins with the pieces since the start. Cancelling the task ends the
/// iteration.
package struct StreamPieces: AsyncSequence, Sendable {
    package typealias Element = StreamPiece
    package typealias Failure = TinyvexError

    private let subscriptions: ReaderSubscriptions<PieceQueue>

    init(_ subscribe: @escaping @Sendable () -> ReaderSubscription<PieceQueue>) {
        subscriptions = ReaderSubscriptions(subscribe)
    }

    package func makeAsyncIterator() -> Iterator { Iterator(subscription: subscriptions.nextSubscription()) }

    package struct Iterator: AsyncIteratorProtocol {
        let subscription: ReaderSubscription<PieceQueue>
        private var pieces: ArraySlice<StreamPiece> = []

        init(subscription: ReaderSubscription<PieceQueue>) { self.subscription = subscription }

        package mutating func next() async throws(TinyvexError) -> StreamPiece? {
            if let piece = pieces.popFirst() { return piece }
            pieces = try await subscription.next()?[...] ?? []
            return pieces.popFirst()
        }

        package mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(TinyvexError) -> StreamPiece? {
            if let piece = pieces.popFirst() { return piece }
            pieces = try await subscription.next()?[...] ?? []
            return pieces.popFirst()
        }

        /// Waits for pieces and returns all of them; nil at the end.
        package mutating func nextAll() async throws(TinyvexError) -> [StreamPiece]? {
            guard pieces.isEmpty else {
                defer { pieces = [] }
                return Array(pieces)
            }
            return try await subscription.next()
        }
    }
}

/// The present value and its changes.
///
/// The subscription starts when the sequence is made. Each iteration has its own subscription, which ends when the
/// iterator is released. All subscriptions to the same value share one at the bridge.
package struct StreamValues: AsyncSequence, Sendable {
    package typealias Element = StreamValue
    package typealias Failure = TinyvexError

    private let subscriptions: ReaderSubscriptions<Newest<StreamValue>>

    init(_ subscribe: @escaping @Sendable () -> ReaderSubscription<Newest<StreamValue>>) {
        subscriptions = ReaderSubscriptions(subscribe)
    }

    package func makeAsyncIterator() -> Iterator { Iterator(subscription: subscriptions.nextSubscription()) }

    package struct Iterator: AsyncIteratorProtocol {
        let subscription: ReaderSubscription<Newest<StreamValue>>

        package mutating func next() async throws(TinyvexError) -> StreamValue? {
            try await subscription.next() ?? nil
        }

        package mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(TinyvexError) -> StreamValue? {
            try await subscription.next() ?? nil
        }
    }
}

/// The present connection state and its changes. Ends when the client is closed.
public struct ConnectionStates: AsyncSequence, Sendable {
    public typealias Element = ConnectionState
    public typealias Failure = Never

    private let client: SyncClient

    init(_ client: SyncClient) { self.client = client }

    public func makeAsyncIterator() -> Iterator { Iterator(watch: Watch(client)) }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let watch: Watch

        public mutating func next() async -> ConnectionState? { await watch.next() }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> ConnectionState? {
            await watch.next()
        }
    }

    fileprivate final class Watch: Sendable {
        private let client: SyncClient
        private let number: Int
        private let mailbox: Mailbox<Newest<ConnectionState>>

        init(_ client: SyncClient) {
            self.client = client
            (number, mailbox) = client.core.withReceivers { receivers in
                let number = receivers.newNumber()
                return (number, receivers.watch(number))
            }
        }

        deinit { client.core.withReceivers { [number] in $0.stopWatching(number) } }

        func next() async -> ConnectionState? { (try? await mailbox.next())?.taken }
    }
}

/// The agent's requests and notifications. Ends when another reader takes over.
package struct AgentMessages: AsyncSequence, Sendable {
    package typealias Element = AgentMessage
    package typealias Failure = Never

    private let client: SyncClient
    private let mailbox: Mailbox<AgentQueue>

    init(_ client: SyncClient) {
        let mailbox = Mailbox(AgentQueue())
        self.client = client
        self.mailbox = mailbox
        client.core.withReceivers { $0.serveAgent(with: mailbox) }
    }

    package func makeAsyncIterator() -> Iterator { Iterator(client: client, mailbox: mailbox) }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let client: SyncClient
        fileprivate let mailbox: Mailbox<AgentQueue>
        private var events: ArraySlice<AgentEvent> = []

        fileprivate init(client: SyncClient, mailbox: Mailbox<AgentQueue>) {
            self.client = client
            self.mailbox = mailbox
        }

        package mutating func next() async -> AgentMessage? {
            while true {
                if events.isEmpty { events = (try? await mailbox.next())?.taken[...] ?? [] }
                switch events.popFirst() {
                case .message(let message): return message
                case .lost: continue
                case nil: return nil
                }
            }
        }
    }
}
