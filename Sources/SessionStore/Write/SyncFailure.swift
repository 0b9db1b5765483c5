import SessionRecords
import Synchronization

/// The last sync of a file of the log, if it failed. For several threads.
///
/// After a failed sync, Linux takes the bytes to be on disk, and the next sync would succeed:
/// <https://wiki.postgresql.org/wiki/Fsync_Errors>. So the writer's thread writes the WAL again first
/// (``WalHealth/sync()``), because only that thread knows that nothing else changes the file meanwhile. The content of
/// the spool is moved to the WAL.
package final class SyncFailure: Sendable {
    private struct State {
        var error: LogError?
        /// Counts the failures.
        var count = 0
        var isWriterAsked = false
    }

    private let state = Mutex(State())

    package init() {}

    /// Nil if the bytes of all failed syncs were written again and synced.
    package var error: LogError? { state.withLock { $0.error } }

    /// The number of the last failure; nil if ``error`` is nil.
    package var number: Int? { state.withLock { $0.error == nil ? nil : $0.count } }

    package func record(_ error: LogError) {
        state.withLock { $0 = State(error: error, count: $0.count + 1) }
    }

    /// Returns true once for each recorded failure: the caller must then ask the writer's thread to mend it.
    package func takeRequest() -> Bool {
        state.withLock { state in
            guard state.error != nil, !state.isWriterAsked else { return false }
            state.isWriterAsked = true
            return true
        }
    }

    /// Records that the failure with this number is mended. A later one stays.
    package func mended(_ number: Int) {
        state.withLock { if $0.count == number { $0.error = nil } }
    }
}
