#if canImport(Combine) || COMBINE_STAND_IN
    #if canImport(Combine)
        import Combine
    #else
        import CombineStandIn
    #endif
    import ACP
    import Synchronization
    import TinyvexMachine

    /// Publishes the elements of an asynchronous sequence, as fast as the subscriber requests them.
    ///
    /// The publisher is cold: each subscriber has its own sequence, which is created on subscription and released
    /// on cancellation. A publisher without a subscriber does nothing.
    struct SequencePublisher<Sequence: AsyncSequence & Sendable>: Publisher {
        typealias Output = Sequence.Element
        typealias Failure = Sequence.Failure

        private let make: @Sendable () -> Sequence

        init(_ make: @escaping @Sendable () -> Sequence) { self.make = make }

        func receive<Subscriber: CombineSubscriber>(subscriber: Subscriber)
        where Subscriber.Input == Output, Subscriber.Failure == Failure {
            let receiver = Receiver<Output, Failure>(subscriber) { $0 }
            let subscription = SequenceSubscription(make(), receiver)
            subscriber.receive(subscription: subscription)
        }
    }

    /// Publishes the values of a subscription. It decodes them for its subscriber, so the type's conformance need not be
    /// sendable.
    struct ValuePublisher<Value: Decodable>: Publisher {
        typealias Output = Value
        typealias Failure = TinyvexError

        private let make: @Sendable () -> ValueTexts

        init(_ make: @escaping @Sendable () -> ValueTexts) { self.make = make }

        func receive<Subscriber: CombineSubscriber>(subscriber: Subscriber)
        where Subscriber.Input == Value, Subscriber.Failure == TinyvexError {
            let receiver = Receiver<ArraySlice<UInt8>, TinyvexError>(subscriber) { text throws(TinyvexError) in
                try ModelCoding.value(Value.self, from: text)
            }
            subscriber.receive(subscription: SequenceSubscription(make(), receiver))
        }
    }

    // Each stream is a publisher, too: each sink is a separate iteration.

    extension ValueSubscription: Publisher {
        public typealias Output = Value

        public func receive<S: CombineSubscriber>(subscriber: S) where S.Input == Value, S.Failure == TinyvexError {
            ValuePublisher { [texts] in texts }.receive(subscriber: subscriber)
        }
    }

    extension SessionUpdates: Publisher {
        public typealias Output = ACP.Client.SessionNotificationWire

        public func receive<S: CombineSubscriber>(subscriber: S) where S.Input == Output, S.Failure == TinyvexError {
            SequencePublisher { self }.receive(subscriber: subscriber)
        }
    }

    extension SessionEvents: Publisher {
        public typealias Output = SessionEvent

        public func receive<S: CombineSubscriber>(subscriber: S) where S.Input == Output, S.Failure == TinyvexError {
            SequencePublisher { self }.receive(subscriber: subscriber)
        }
    }

    /// A subscriber of any type.
    private struct Receiver<Input, Failure: Error>: @unchecked Sendable {
        // Unchecked because a subscriber need not be `Sendable`; Combine only requires that it is not called
        // concurrently. Safe because the closures are the only references to the subscriber here, and only one task
        // calls them: the one that runs the sequence.
        let value: (Input) throws(Failure) -> Subscribers.Demand
        let completion: (Subscribers.Completion<Failure>) -> Void

        /// - Parameter convert: Returns the subscriber's value for an element of the sequence.
        init<Subscriber: CombineSubscriber>(
            _ subscriber: Subscriber, _ convert: @escaping (Input) throws(Failure) -> Subscriber.Input
        ) where Subscriber.Failure == Failure {
            value = { element throws(Failure) in subscriber.receive(try convert(element)) }
            completion = { subscriber.receive(completion: $0) }
        }
    }

    /// Iterates over the sequence while there is demand.
    private final class SequenceSubscription<Sequence: AsyncSequence & Sendable>: Subscription, Sendable {
        private struct State {
            var demand = Subscribers.Demand.none
            var waiting: CheckedContinuation<Void, Never>?
            var task: Task<Void, Never>?
            var isCancelled = false
        }

        private let state = Mutex(State())
        /// Moved into the task, so that the sequence is released with the task.
        private let start: Mutex<Start?>

        private struct Start {
            let sequence: Sequence
            let receiver: Receiver<Sequence.Element, Sequence.Failure>
        }

        init(_ sequence: Sequence, _ receiver: Receiver<Sequence.Element, Sequence.Failure>) {
            start = Mutex(Start(sequence: sequence, receiver: receiver))
        }

        func request(_ demand: Subscribers.Demand) {
            add(demand)
            guard let start = start.withLock({ $0.take() }) else { return }
            let task = Task { await run(start) }
            let isCancelled = state.withLock { state in
                state.task = task
                return state.isCancelled
            }
            if isCancelled { task.cancel() }
        }

        func cancel() {
            let (task, waiting) = state.withLock { state in
                state.isCancelled = true
                return (state.task, state.waiting.take())
            }
            _ = start.withLock { $0.take() }
            task?.cancel()
            waiting?.resume()
        }

        private func add(_ demand: Subscribers.Demand) {
            let waiting = state.withLock { state in
                state.demand += demand
                return state.demand > .none ? state.waiting.take() : nil
            }
            waiting?.resume()
        }

        private func run(_ start: Start) async {
            var iterator = start.sequence.makeAsyncIterator()
            do throws(Sequence.Failure) {
                while await consumeDemand(), let value = try await iterator.next(isolation: nil), !isCancelled {
                    add(try start.receiver.value(value))
                }
                if !isCancelled { start.receiver.completion(.finished) }
            } catch {
                if !isCancelled { start.receiver.completion(.failure(error)) }
            }
        }

        private var isCancelled: Bool { state.withLock { $0.isCancelled } }

        /// Waits for demand and consumes one unit of it. Returns false after cancellation.
        private func consumeDemand() async -> Bool {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if state.isCancelled || state.demand > .none { return true }
                    state.waiting = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
            return state.withLock { state in
                if state.isCancelled { return false }
                state.demand -= 1
                return true
            }
        }
    }

    /// Combine's protocol under another name, because type parameters here are called `Subscriber`.
    public typealias CombineSubscriber = Subscriber
#endif
