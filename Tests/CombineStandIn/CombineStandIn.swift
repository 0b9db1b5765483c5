// The part of Combine's API that the publishers of TinyvexClient need, with Combine's names and semantics, so that they
// can be compiled and tested without Combine.

public protocol Publisher<Output, Failure> {
    associatedtype Output
    associatedtype Failure: Error

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure
}

public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
    associatedtype Input
    associatedtype Failure: Error

    func receive(subscription: any Subscription)
    func receive(_ input: Input) -> Subscribers.Demand
    func receive(completion: Subscribers.Completion<Failure>)
}

public protocol Cancellable {
    func cancel()
}

public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
    func request(_ demand: Subscribers.Demand)
}

public struct CombineIdentifier: Hashable, Sendable {
    private let object: ObjectIdentifier

    public init(_ object: AnyObject) { self.object = ObjectIdentifier(object) }
}

public protocol CustomCombineIdentifierConvertible {
    var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
    public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}

public enum Subscribers {
    /// The number of requested values.
    public struct Demand: Equatable, Comparable, Sendable {
        /// Nil means all values.
        private var count: Int?

        public static let unlimited = Demand(count: nil)
        public static let none = Demand(count: 0)
        public static func max(_ count: Int) -> Demand { Demand(count: count) }

        private init(count: Int?) { self.count = count }

        public static func += (left: inout Demand, right: Demand) {
            guard let count = left.count, let more = right.count else { return left.count = nil }
            left.count = count + more
        }

        public static func -= (left: inout Demand, right: Int) {
            if let count = left.count { left.count = count - right }
        }

        public static func < (left: Demand, right: Demand) -> Bool {
            (left.count ?? .max) < (right.count ?? .max)
        }
    }

    public enum Completion<Failure: Error> {
        case finished
        case failure(Failure)
    }
}

extension Subscribers.Completion: Sendable {}
extension Subscribers.Completion: Equatable where Failure: Equatable {}

public struct AnyPublisher<Output, Failure: Error>: Publisher {
    private let subscribe: (AnySubscriber<Output, Failure>) -> Void

    init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
        subscribe = { publisher.receive(subscriber: $0) }
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        subscribe(AnySubscriber(subscriber))
    }
}

extension Publisher {
    public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }

    public func sink(
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
        receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable {
        let sink = Sink<Output, Failure>(receiveCompletion, receiveValue)
        receive(subscriber: sink)
        return AnyCancellable { sink.cancel() }
    }
}

/// Cancels its subscription when it is released.
public final class AnyCancellable: Cancellable {
    private let end: () -> Void

    public init(_ end: @escaping () -> Void) { self.end = end }

    deinit { end() }

    public func cancel() { end() }
}

final class AnySubscriber<Input, Failure: Error>: Subscriber {
    private let subscription: (any Subscription) -> Void
    private let value: (Input) -> Subscribers.Demand
    private let completion: (Subscribers.Completion<Failure>) -> Void

    init<S: Subscriber>(_ subscriber: S) where S.Input == Input, S.Failure == Failure {
        subscription = { subscriber.receive(subscription: $0) }
        value = { subscriber.receive($0) }
        completion = { subscriber.receive(completion: $0) }
    }

    func receive(subscription: any Subscription) { self.subscription(subscription) }
    func receive(_ input: Input) -> Subscribers.Demand { value(input) }
    func receive(completion: Subscribers.Completion<Failure>) { self.completion(completion) }
}

private final class Sink<Input, Failure: Error>: Subscriber {
    private let completion: (Subscribers.Completion<Failure>) -> Void
    private let value: (Input) -> Void
    private var subscription: (any Subscription)?

    init(_ completion: @escaping (Subscribers.Completion<Failure>) -> Void, _ value: @escaping (Input) -> Void) {
        self.completion = completion
        self.value = value
    }

    func receive(subscription: any Subscription) {
        self.subscription = subscription
        subscription.request(.unlimited)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        value(input)
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) { self.completion(completion) }

    func cancel() { subscription?.cancel() }
}
