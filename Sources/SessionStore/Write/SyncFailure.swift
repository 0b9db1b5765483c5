import SessionRecords
import Synchronization

/// The last sync of the WAL, if it failed. For several threads.
///
/// After a failed sync, Linux takes the bytes to be on disk, and the next sync would succeed:
/// <https://wiki.postgresql.org/wiki/Fsync_Errors>. So the writer's thread writes the WAL again first
/// (``WriteConnection/syncWal()``). Only that thread knows that nothing else changes the file meanwhile.
package final class SyncFailure: Sendable {
    private struct State {
        var error: LogError?
        var isWriterAsked = false
    }

    private let state = Mutex(State())

    init() {}

    /// Nil if no sync has failed since the WAL was last written again.
    package var error: LogError? { state.withLock { $0.error } }

    package func record(_ error: LogError) { state.withLock { $0 = State(error: error) } }

    /// Returns true once for each recorded failure: the caller must then ask the writer's thread for a sync.
    package func takeRequest() -> Bool {
        state.withLock { state in
            guard state.error != nil, !state.isWriterAsked else { return false }
            state.isWriterAsked = true
            return true
        }
    }

    /// Returns whether a sync has failed, and forgets it. A failure during what follows is recorded again.
    func take() -> Bool { state.withLock { $0.error.take() != nil } }
}
