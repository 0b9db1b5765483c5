import Posix
import Synchronization

/// One value that one thread gives and another thread waits for.
final class Handoff<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let given = Semaphore()

    func give(_ value: Value) {
        self.value.withLock { $0 = value }
        given.post()
    }

    /// Blocks until the value is available. Call this once.
    func wait() -> Value {
        while true {
            given.wait()
            if let value = value.withLock({ $0 }) { return value }
        }
    }
}
