/// A reference that does not keep its object alive, for a property of a `Sendable` type.
///
/// It is unchecked because a `weak var` cannot be part of a `Sendable` type, and `weak let` needs Swift 6.3. The variable
/// never changes after `init`, and reading a weak reference is safe from all threads.
package struct WeakReference<Object: AnyObject & Sendable>: @unchecked Sendable {
    /// Nil after the object was released.
    package private(set) weak var object: Object?

    package init(_ object: Object) { self.object = object }
}
