import Posix

/// Decides when the syncing thread must act, and on which file. Pure.
///
/// A sync starts within ``bound`` of the oldest unsynced update. If the previous sync takes longer, the next starts
/// right after it, because one thread does all syncs. The duration of a sync depends on the disk alone.
struct SyncSchedule {
    /// 50 ms: the loss in a power cut, in addition to the time of the sync itself.
    static let bound = Duration.milliseconds(50)
    /// 10 ms less, so that the scheduler has time to wake a thread.
    static let delay = bound - .milliseconds(10)

    enum Step: Equatable {
        /// Nothing is unsynced.
        case rest
        case wait(until: Instant)
        /// The spool is synced first. Data that moves from the spool to the WAL between the two syncs is then covered
        /// by the WAL's sync.
        case sync(spool: Bool, wal: Bool)
    }

    /// The time since which the WAL has had data that no sync covers.
    private(set) var committedSince: Instant?
    private var isSyncing = false
    /// The end of the last sync.
    private var syncEnd: Instant?
    /// The last sync was for an update that came less than ``delay`` after the end of the sync before.
    private var isSteady = false

    /// The latest time at which the sync of an update must start.
    static func dueTime(since: Instant) -> Instant { since + delay }

    /// - Parameter since: The time of the oldest update in a commit. The update can have been in the spool before.
    mutating func committed(since: Instant) {
        committedSince = committedSince.map { min($0, since) } ?? since
    }

    /// - Parameter spooledSince: The time since which the spool has had data that is neither synced nor in the WAL.
    ///
    /// While updates come steadily, the thread looks once in vain before it rests. Its next look is set by itself then, on the
    /// processor that it used, and does not delay the thread that stores updates.
    mutating func step(spooledSince: Instant?, at now: Instant) -> Step {
        if isSyncing { (isSyncing, syncEnd) = (false, now) }
        guard let oldest = [spooledSince, committedSince].compactMap(\.self).min() else {
            defer { isSteady = false }
            return isSteady ? .wait(until: now + Self.delay) : .rest
        }
        let due = Self.dueTime(since: oldest)
        guard due <= now else { return .wait(until: due) }
        isSteady = syncEnd.map { oldest - $0 < Self.delay } ?? false
        isSyncing = true
        // If the writer's thread will bring data into the WAL in time, the spool needs no sync.
        let isSpoolDue = spooledSince.map { Self.dueTime(since: $0) <= now } ?? false
        return .sync(spool: isSpoolDue, wal: committedSince != nil)
    }

    /// Records that a sync of the WAL begins. The sync can miss a commit that comes during it, so such a commit is
    /// recorded again.
    mutating func walSyncBegins() -> Instant? { committedSince.take() }
}
