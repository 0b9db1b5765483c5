import Synchronization

/// A reference that does not keep its object alive, for a property of a `Sendable` type.
///
/// `weak let` would do the same without a lock, but needs Swift 6.3.
package final class WeakReference<Object: AnyObject & Sendable>: Sendable {
    private struct Content { weak var object: Object? }

    private let content: Mutex<Content>

    package init(_ object: Object) { content = Mutex(Content(object: object)) }

    /// Nil after the object was released.
    package var object: Object? { content.withLock { $0.object } }
}
