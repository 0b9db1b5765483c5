/// The results of a file's syncs. Several threads sync the file.
///
/// Linux reports a failed write to one sync only, and the next one succeeds. So a sync proves nothing if another failed
/// while it ran.
struct LinesSyncs {
    /// Bytes before this place are on disk.
    private(set) var syncedEnd: Int64 = 0
    /// A sync failed, and the bytes after ``syncedEnd`` were not written again.
    private var hasFailed = false
    private var failures = 0

    /// A sync that runs.
    struct Attempt {
        /// Bytes before this place are on disk already.
        let start: Int64
        /// The bytes after ``start`` must be written again before the sync.
        let mustRewrite: Bool
        fileprivate let failures: Int
    }

    var next: Attempt { Attempt(start: syncedEnd, mustRewrite: hasFailed, failures: failures) }

    mutating func failed() {
        hasFailed = true
        failures += 1
    }

    /// Call this after a sync has succeeded. Returns false if it proves nothing and must be repeated.
    ///
    /// - Parameter end: all bytes before it were written before the sync.
    mutating func succeeded(_ attempt: Attempt, to end: Int64) -> Bool {
        guard failures == attempt.failures else { return false }
        hasFailed = false
        syncedEnd = max(syncedEnd, end)
        return true
    }

    /// Call this before the bytes after this place are overwritten.
    mutating func discarded(from place: Int64) { syncedEnd = min(syncedEnd, place) }

    /// Bytes before this place are on disk, as the log has recorded.
    mutating func opened(synced: Int64) { syncedEnd = synced }
}
