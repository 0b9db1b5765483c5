import EventLoop
import Glibc
import Synchronization

/// Something that goes on beside the test, on a thread of its own.
///
/// Not checked for what the two share: the test leaves what `body` uses alone until `wait` has returned.
final class Background<Value>: @unchecked Sendable {
    private let body: () throws -> Value
    private var outcome: Result<Value, any Error>?
    private var thread = pthread_t()

    init(_ body: @escaping () throws -> Value) throws {
        self.body = body
        let code = pthread_create(
            &thread, nil,
            { argument in
                argument.map { Unmanaged<AnyRunning>.fromOpaque($0).takeRetainedValue().run() }
                return nil
            }, Unmanaged.passRetained(AnyRunning { self.outcome = Result { try self.body() } }).toOpaque())
        guard code == 0 else { throw SystemError("pthread_create", code: code) }
    }

    /// Returns when it is done, with what it gave. To be called once.
    @discardableResult
    func wait() throws -> Value {
        pthread_join(thread, nil)
        guard let outcome else { throw Overdue("what goes on beside the test has ended") }
        return try outcome.get()
    }
}

/// What a C function can be handed, whatever the value.
private final class AnyRunning {
    let run: () -> Void

    init(_ run: @escaping () -> Void) { self.run = run }
}
