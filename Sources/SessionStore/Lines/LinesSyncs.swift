/// The results of a file's syncs. Several threads sync the file.
///
/// Linux reports a failed write to one sync only, and the next one succeeds. So a sync proves nothing if another failed
/// while it ran.
struct LinesSyncs {
    /// Bytes before this place are on disk.
    private(set) var syncedEnd: Int64 = 0
    /// A sync failed when the file had bytes up to this place. Those after ``syncedEnd`` must be written again before
    /// another sync proves anything about them.
    private var failedEnd: Int64?
    private var failures = 0

    /// A sync that runs.
    struct Attempt {
        /// Bytes before this place are on disk already.
        let start: Int64
        /// The bytes after ``start`` must be written again before the sync.
        let mustRewrite: Bool
        fileprivate let failures: Int
    }

    var next: Attempt { Attempt(start: syncedEnd, mustRewrite: failedEnd != nil, failures: failures) }

    /// - Parameter writtenEnd: The end of the file. A failed sync can have lost all of its bytes that are not synced, also
    ///   those that another thread wrote while it ran.
    mutating func failed(writtenEnd: Int64) {
        failedEnd = max(failedEnd ?? 0, writtenEnd)
        failures += 1
    }

    /// Call this after a sync has succeeded. Returns false if it proves nothing and must be repeated.
    ///
    /// - Parameter end: all bytes before it were written before the sync.
    mutating func succeeded(_ attempt: Attempt, to end: Int64) -> Bool {
        guard failures == attempt.failures else { return false }
        syncedEnd = max(syncedEnd, end)
        if let failedEnd, failedEnd <= syncedEnd { self.failedEnd = nil }
        return true
    }

    /// Call this before the bytes after this place are overwritten.
    mutating func discarded(from place: Int64) {
        syncedEnd = min(syncedEnd, place)
        failedEnd = failedEnd.map { min($0, place) }.flatMap { $0 <= syncedEnd ? nil : $0 }
    }

    /// Bytes before this place are on disk, as the log has recorded.
    mutating func opened(synced: Int64) { syncedEnd = synced }
}
