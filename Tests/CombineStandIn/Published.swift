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
        }

        init(_ value: Value) { content = Mutex(Content(value: value)) }

        var value: Value { content.withLock { Held(value: $0.value) }.value }

        func set(_ value: Value) {
            let held = Held(value: value)
            content.withLock { $0.value = held.value }
        }

        private struct Held: @unchecked Sendable {
            let value: Value
        }
    }

    /// The only publisher here is the target of `assign(to:)`.
    public struct Publisher {
        let target: Target
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
