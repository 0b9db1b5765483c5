// The part of Synchronization that the portable targets use, with Apple's availability. The real module's interface for
// Linux imports Glibc.

@available(macOS 15.0, *)
public struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    public init(_ initialValue: consuming sending Value) { fatalError() }

    public borrowing func withLock<Result: ~Copyable, E: Error>(
        _ body: (inout sending Value) throws(E) -> sending Result
    ) throws(E) -> sending Result { fatalError() }
}
