#if canImport(Combine) || COMBINE_STAND_IN
    #if canImport(Combine)
        import Combine
    #else
        import CombineStandIn
    #endif
    import Synchronization

    /// Publishes what an asynchronous sequence brings, as fast as its subscriber asks for it.
    ///
    /// Cold: each subscriber has a sequence of its own, made when it subscribes and gone when it cancels. Building a
    /// publisher and dropping it does nothing at all.
    struct SequencePublisher<Sequence: AsyncSequence & Sendable>: Publisher {
        typealias Output = Sequence.Element
        typealias Failure = Sequence.Failure

        private let make: @Sendable () -> Sequence

        init(_ make: @escaping @Sendable () -> Sequence) { self.make = make }

        func receive<Subscriber: CombineSubscriber>(subscriber: Subscriber)
        where Subscriber.Input == Output, Subscriber.Failure == Failure {
            let receiver = Receiver<Output, Failure>(subscriber)
            let subscription = SequenceSubscription(make(), receiver)
            subscriber.receive(subscription: subscription)
        }
    }

    /// A subscriber, whatever its type.
    private struct Receiver<Input, Failure: Error>: @unchecked Sendable {
        // Combine's rule is that a subscriber is called by one at a time. Here that is the one task which runs the sequence,
        // so it is used from one thread at a time, though none of its protocols says so to the compiler.
        let value: (Input) -> Subscribers.Demand
        let completion: (Subscribers.Completion<Failure>) -> Void

        init<Subscriber: CombineSubscriber>(_ subscriber: Subscriber)
        where Subscriber.Input == Input, Subscriber.Failure == Failure {
            value = { subscriber.receive($0) }
            completion = { subscriber.receive(completion: $0) }
        }
    }

    /// Runs the sequence while there is demand.
    private final class SequenceSubscription<Sequence: AsyncSequence & Sendable>: Subscription, Sendable {
        private struct State {
            var demand = Subscribers.Demand.none
            var waiting: CheckedContinuation<Void, Never>?
            var task: Task<Void, Never>?
            var isCancelled = false
        }

        private let state = Mutex(State())
        /// Given to the task, so that the sequence goes with it.
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
                while await mayDeliver(), let value = try await iterator.next(isolation: nil), !isCancelled {
                    add(start.receiver.value(value))
                }
                if !isCancelled { start.receiver.completion(.finished) }
            } catch {
                if !isCancelled { start.receiver.completion(.failure(error)) }
            }
        }

        private var isCancelled: Bool { state.withLock { $0.isCancelled } }

        /// Waits for demand, and takes one of it. False when it was cancelled.
        private func mayDeliver() async -> Bool {
            await withCheckedContinuation { continuation in
                let mayGoOn = state.withLock { state in
                    if state.isCancelled || state.demand > .none { return true }
                    state.waiting = continuation
                    return false
                }
                if mayGoOn { continuation.resume() }
            }
            return state.withLock { state in
                if state.isCancelled { return false }
                state.demand -= 1
                return true
            }
        }
    }

    /// Combine's protocol; its name is taken by type parameters.
    typealias CombineSubscriber = Subscriber
#endif
