import Dispatch
import Synchronization

// The operators of Combine that programs in the documents use, with Combine's signatures.

public enum Publishers {
    public struct Map<Upstream: Publisher, Output>: Publisher {
        public typealias Failure = Upstream.Failure
        public let upstream: Upstream
        public let transform: (Upstream.Output) -> Output

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.receive(
                subscriber: Stage(
                    subscriber, value: { subscriber.receive(transform($0)) },
                    completion: { subscriber.receive(completion: $0) }))
        }
    }

    public struct MapError<Upstream: Publisher, Failure: Error>: Publisher {
        public typealias Output = Upstream.Output
        public let upstream: Upstream
        public let transform: (Upstream.Failure) -> Failure

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.receive(
                subscriber: Stage(
                    subscriber, value: { subscriber.receive($0) },
                    completion: { completion in
                        switch completion {
                        case .finished: subscriber.receive(completion: .finished)
                        case .failure(let error): subscriber.receive(completion: .failure(transform(error)))
                        }
                    }))
        }
    }

    public struct ReplaceError<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Never
        public let upstream: Upstream
        public let output: Output

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
            upstream.receive(
                subscriber: Stage(
                    subscriber, value: { subscriber.receive($0) },
                    completion: { completion in
                        if case .failure = completion { _ = subscriber.receive(output) }
                        subscriber.receive(completion: .finished)
                    }))
        }
    }

    public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        public let upstream: Upstream
        public let scheduler: Context

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.receive(
                subscriber: Stage(
                    subscriber,
                    value: { value in
                        scheduler.schedule(options: nil) { _ = subscriber.receive(value) }
                        return .none
                    },
                    completion: { completion in
                        scheduler.schedule(options: nil) { subscriber.receive(completion: completion) }
                    }))
        }
    }
}

/// A place to run actions: a queue, for example.
public protocol Scheduler<SchedulerOptions> {
    associatedtype SchedulerOptions

    func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void)
}

extension DispatchQueue: Scheduler {
    public struct SchedulerOptions {}

    private struct Action: @unchecked Sendable {
        let run: () -> Void
    }

    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let action = Action(run: action)
        async { action.run() }
    }
}

/// Subscribes to a publisher on behalf of the subscriber of another one.
private final class Stage<Input, Failure: Error>: Subscriber {
    private let subscription: (any Subscription) -> Void
    private let value: (Input) -> Subscribers.Demand
    private let completion: (Subscribers.Completion<Failure>) -> Void

    init(
        _ subscriber: some Subscriber, value: @escaping (Input) -> Subscribers.Demand,
        completion: @escaping (Subscribers.Completion<Failure>) -> Void
    ) {
        subscription = { subscriber.receive(subscription: $0) }
        self.value = value
        self.completion = completion
    }

    func receive(subscription: any Subscription) { self.subscription(subscription) }
    func receive(_ input: Input) -> Subscribers.Demand { value(input) }
    func receive(completion: Subscribers.Completion<Failure>) { self.completion(completion) }
}

extension Publisher {
    public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.Map<Self, T> {
        Publishers.Map(upstream: self, transform: transform)
    }

    public func mapError<E: Error>(_ transform: @escaping (Failure) -> E) -> Publishers.MapError<Self, E> {
        Publishers.MapError(upstream: self, transform: transform)
    }

    public func replaceError(with output: Output) -> Publishers.ReplaceError<Self> {
        Publishers.ReplaceError(upstream: self, output: output)
    }

    public func receive<S: Scheduler>(
        on scheduler: S, options: S.SchedulerOptions? = nil
    ) -> Publishers.ReceiveOn<Self, S> {
        Publishers.ReceiveOn(upstream: self, scheduler: scheduler)
    }
}

extension Publisher where Failure == Never {
    public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
        sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
    }

    public func assign(to published: inout Published<Output>.Publisher) {
        let target = published.target
        target.source = sink { target.set($0) }
    }

    /// The values as an asynchronous sequence.
    public var values: AsyncPublisher<Self> { AsyncPublisher(self) }
}

extension Publisher {
    @_disfavoredOverload
    public var values: AsyncThrowingPublisher<Self> { AsyncThrowingPublisher(self) }
}

public struct AsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
    public typealias Element = P.Output
    public typealias Failure = Never
    private let publisher: P

    public init(_ publisher: P) { self.publisher = publisher }

    public func makeAsyncIterator() -> Iterator {
        let (stream, continuation) = AsyncStream<Moved<P.Output>>.makeStream()
        let sink = publisher.sink(
            receiveCompletion: { _ in continuation.finish() }, receiveValue: { continuation.yield(Moved(value: $0)) })
        return Iterator(values: stream.makeAsyncIterator(), sink: sink)
    }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var values: AsyncStream<Moved<P.Output>>.Iterator
        fileprivate let sink: AnyCancellable

        public mutating func next() async -> P.Output? { await values.next(isolation: #isolation)?.value }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> P.Output? {
            await values.next(isolation: actor)?.value
        }
    }
}

public struct AsyncThrowingPublisher<P: Publisher>: AsyncSequence {
    public typealias Element = P.Output
    public typealias Failure = any Error
    private let publisher: P

    public init(_ publisher: P) { self.publisher = publisher }

    public func makeAsyncIterator() -> Iterator {
        let (stream, continuation) = AsyncThrowingStream<Moved<P.Output>, any Error>.makeStream()
        let sink = publisher.sink(
            receiveCompletion: { completion in
                if case .failure(let error) = completion {
                    continuation.finish(throwing: error)
                } else {
                    continuation.finish()
                }
            }, receiveValue: { continuation.yield(Moved(value: $0)) })
        return Iterator(values: stream.makeAsyncIterator(), sink: sink)
    }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var values: AsyncThrowingStream<Moved<P.Output>, any Error>.Iterator
        fileprivate let sink: AnyCancellable

        public mutating func next() async throws -> P.Output? { try await values.next(isolation: #isolation)?.value }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> P.Output? {
            try await values.next(isolation: actor)?.value
        }
    }
}

/// A value that its sender no longer uses.
private struct Moved<Value>: @unchecked Sendable {
    let value: Value
}
