/// Everything that owns a pipe or a socket is isolated here: one thread, checked by the compiler instead of by a lock.
/// Its executor is `EventLoop.main`.
@globalActor public actor LoopActor {
    public static let shared = LoopActor()

    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        EventLoop.main.asUnownedSerialExecutor()
    }

    /// Runs `operation` as this actor, on the loop's thread; anywhere else it ends the program, as `MainActor` does.
    public static nonisolated func assumeIsolated<Value: Sendable>(
        _ operation: @LoopActor () throws -> Value
    ) rethrows -> Value {
        shared.preconditionIsolated()
        typealias Unisolated = () throws -> Value
        return try withoutActuallyEscaping(operation) { operation in
            // The thread was checked above; a function value of either type has the same representation.
            try unsafeBitCast(operation, to: Unisolated.self)()
        }
    }
}
