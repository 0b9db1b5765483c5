/// Isolates everything that owns a pipe or a socket to one thread, checked by the compiler instead of a lock. Its
/// executor is `EventLoop.main`.
@globalActor package actor LoopActor {
    package static let shared = LoopActor()

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        EventLoop.main.asUnownedSerialExecutor()
    }

    /// Runs `operation` isolated to this actor. The caller must be on the loop's thread; otherwise the program traps,
    /// as with `MainActor`.
    package static nonisolated func assumeIsolated<Value: Sendable>(
        _ operation: @LoopActor () throws -> Value
    ) rethrows -> Value {
        shared.preconditionIsolated()
        typealias Unisolated = () throws -> Value
        return try withoutActuallyEscaping(operation) { operation in
            // The thread was checked above. Function values of both types have the same representation.
            try unsafeBitCast(operation, to: Unisolated.self)()
        }
    }
}
