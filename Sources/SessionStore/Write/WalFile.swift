import Glibc
import Posix
import SessionRecords

/// The log's own descriptor on the `-wal` file, used to sync it. SQLite keeps no locks on this file, so closing the
/// descriptor drops none.
package struct WalFile: ~Copyable {
    private let descriptor: Descriptor
    private let path: String
    private let failure: SyncFailure

    /// The file must exist. It exists from the first commit until the last connection closes.
    ///
    /// - Parameter failure: Gets the failure of a sync.
    package init(path: String, failure: SyncFailure) throws(LogError) {
        descriptor = try LogFile.open(path, flags: O_RDWR | O_NOFOLLOW)
        self.path = path
        self.failure = failure
    }

    /// Returns when everything written so far is on disk. Throws if an earlier sync has failed: see ``syncWhole()``.
    package func sync() throws(LogError) {
        if let error = failure.error { throw error }
        guard fdatasync(descriptor.raw) == 0 else {
            let error = LogError.lastSystemError("sync", path)
            failure.record(error)
            throw error
        }
    }

    /// The same, also after a failed sync. Call this only on the writer's thread, outside of a transaction.
    func syncWhole() throws(LogError) {
        if failure.take() {
            do throws(LogError) {
                try LogFile.writeAgain(0..<off_t.max, of: descriptor, path: path)
            } catch {
                failure.record(error)
                throw error
            }
        }
        try sync()
    }
}
