import Synchronization

/// The connection that writes, for the writer's thread and, where it is free, for the caller's (``DirectWrites``): one of
/// them at a time.
final class SharedStore: Sendable {
    /// Nil once the log is closed.
    private let store: Mutex<WriteConnection?>

    init(_ store: sending WriteConnection) {
        self.store = Mutex(store)
    }

    /// Waits for the other to be done; nil where the log is closed.
    func use<Result: Sendable, Failure: Error>(
        _ body: @Sendable (WriteConnection) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        try store.withLock { (store) throws(Failure) in try store.map(body) }
    }

    /// Nil where the other uses it, or the log is closed.
    func useIfFree<Result: Sendable>(_ body: @Sendable (WriteConnection) -> Result) -> Result? {
        store.withLockIfAvailable { store in store.map(body) } ?? nil
    }

    /// Brings the WAL into the file, and ends the connection.
    func close() {
        store.withLock { store in
            store?.checkpointAll()
            store = nil
        }
    }
}
