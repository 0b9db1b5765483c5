import SQLite
import SessionRecords

/// Whether the WAL is on disk, for the writer. After a failed sync, the WAL is written again before anything relies on it.
package struct WalHealth: ~Copyable {
    let durability: Durability
    package let failure: SyncFailure
    /// Only under ``Durability/normal``: used to put a claim on disk before the claim is answered.
    private let file: WalFile?

    /// - Parameter failure: that of the previous connection in the same process.
    init(path: String, _ durability: Durability, continuing failure: SyncFailure?) throws(LogError) {
        self.durability = durability
        let failure = failure ?? SyncFailure()
        self.failure = failure
        file = durability == .normal ? try WalFile(path: path, failure: failure) : nil
    }

    /// Returns when everything committed is on disk, except lines outside of the tables. Syncs only under
    /// ``Durability/normal``; otherwise each commit is already on disk.
    package func sync() throws(LogError) { try file?.syncWhole() }

    /// Writes the WAL again and syncs it, if its last sync has failed. Call this before a checkpoint: if the WAL were not on
    /// disk, a power cut during the checkpoint could damage the file.
    package func syncIfItHasFailed() throws(LogError) {
        if failure.error != nil { try sync() }
    }

    /// Writes the WAL of a killed process again, because the last sync of that process can have failed.
    func writeAgain() throws(LogError) { try file?.writeAgain() }

    func checkpoint(_ connection: borrowing Connection, _ kind: Connection.Checkpoint) throws(SQLiteError) {
        do throws(SQLiteError) {
            try connection.checkpoint(kind)
        } catch {
            // Under `Durability.full`, each commit was synced before.
            guard error == .syncFailed, durability == .normal else { throw error }
            failure.record(LogError(error))
            // SQLite's own descriptor reports a failure once, also one that was mended since.
            guard (try? sync()) != nil else { throw error }
            try connection.checkpoint(kind)
        }
    }
}
