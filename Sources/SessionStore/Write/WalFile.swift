import Glibc
import Posix
import SessionRecords

/// The log's own descriptor on the `-wal` file, used to sync it. SQLite keeps no locks on this file, so closing the
/// descriptor drops none.
package struct WalFile: ~Copyable {
    private let descriptor: Descriptor
    private let path: String
    private let failure: SyncFailure

    /// The file must exist. It exists from the first read until the last connection closes.
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
        try syncNow()
    }

    /// The same, also after a failed sync. Call this only on the writer's thread, outside of a transaction.
    func syncWhole() throws(LogError) {
        guard let number = failure.number else { return try syncNow() }
        do throws(LogError) {
            try writeAgain()
        } catch {
            failure.record(error)
            throw error
        }
        try syncNow()
        failure.mended(number)
    }

    /// Writes the whole file again, so that the next sync includes it. Call this as ``syncWhole()``.
    func writeAgain() throws(LogError) { try LogFile.writeAgain(descriptor, path: path) }

    private func syncNow() throws(LogError) {
        guard fdatasync(descriptor.raw) == 0 else {
            let error = LogError.lastSystemError("sync", path)
            failure.record(error)
            throw error
        }
    }
}
