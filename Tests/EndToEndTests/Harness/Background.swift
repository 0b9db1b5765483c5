import EventLoop
import Glibc
import Posix
import Synchronization

/// Runs `body` on a thread of its own while the test continues.
///
/// The compiler does not check the state that the test and `body` share. The test must not touch that state until
/// `wait` has returned.
final class Background<Value>: @unchecked Sendable {
    private let body: () throws -> Value
    private var outcome: Result<Value, any Error>?
    private var thread = pthread_t()

    init(_ body: @escaping () throws -> Value) throws {
        let home = BridgeHome.current
        self.body = { try BridgeHome.$current.withValue(home) { try body() } }
        let code = pthread_create(
            &thread, nil,
            { argument in
                argument.map { Unmanaged<AnyRunning>.fromOpaque($0).takeRetainedValue().run() }
                return nil
            }, Unmanaged.passRetained(AnyRunning { self.outcome = Result { try self.body() } }).toOpaque())
        guard code == 0 else { throw SystemError("pthread_create", code: code) }
    }

    /// Returns the result of `body` when it has finished. Call it only once.
    @discardableResult
    func wait() throws -> Value {
        pthread_join(thread, nil)
        guard let outcome else { throw Overdue("the background work has ended") }
        return try outcome.get()
    }
}

/// Erases the type of the value, so that the object can be passed to a C function.
private final class AnyRunning {
    let run: () -> Void

    init(_ run: @escaping () -> Void) { self.run = run }
}
