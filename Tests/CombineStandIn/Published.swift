import Synchronization

/// An object that a view observes.
public protocol ObservableObject: AnyObject {}

/// A property that publishes its values.
@propertyWrapper
public struct Published<Value> {
    final class Target: @unchecked Sendable {
        private let content: Mutex<Content>
        /// The subscription that `assign(to:)` made; it ends with the property.
        var source: AnyCancellable? {
            get { content.withLock { $0.source } }
            set { content.withLock { $0.source = newValue } }
        }

        private struct Content: @unchecked Sendable {
            var value: Value
            var source: AnyCancellable?
            var watchers: [@Sendable (Held) -> Void] = []
        }

        init(_ value: Value) { content = Mutex(Content(value: value)) }

        var value: Value { content.withLock { Held(value: $0.value) }.value }

        func set(_ value: Value) {
            let held = Held(value: value)
            content.withLock { content in
                content.value = held.value
                for watcher in content.watchers { watcher(held) }
            }
        }

        /// Calls `watcher` with the current value and each later one. It must not use this property.
        func watch(_ watcher: @escaping @Sendable (Held) -> Void) {
            content.withLock { content in
                content.watchers.append(watcher)
                watcher(Held(value: content.value))
            }
        }

        struct Held: @unchecked Sendable {
            let value: Value
        }
    }

    /// The target of `assign(to:)`, and the property's values.
    public struct Publisher {
        let target: Target

        /// The current value, then each later one.
        public var values: AsyncStream<Value> {
            AsyncStream { continuation in target.watch { continuation.yield($0.value) } }
        }
    }

    private let target: Target

    public init(wrappedValue: Value) { target = Target(wrappedValue) }

    public var wrappedValue: Value {
        get { target.value }
        nonmutating set { target.set(newValue) }
    }

    public var projectedValue: Publisher {
        get { Publisher(target: target) }
        nonmutating set {}
    }
}
