/// When the syncing thread must act, and on which file. Pure.
///
/// A sync starts within ``bound`` of the oldest update that is not synced, or at once after the sync before it, as one
/// thread syncs. How long a sync takes is the disk's affair.
struct SyncSchedule {
    typealias Instant = ContinuousClock.Instant

    /// 50 ms: what a power cut can cost, besides the time of the sync itself.
    static let bound = Duration.milliseconds(50)
    /// 10 ms less, for the scheduler to wake a thread.
    static let delay = bound - .milliseconds(10)

    enum Step: Equatable {
        /// Nothing is unsynced.
        case rest
        case wait(Duration)
        /// The spool goes first: what leaves it between the two syncs is then covered by that of the WAL.
        case sync(spool: Bool, wal: Bool)
    }

    /// Since when the WAL has had something that no sync covers.
    private(set) var committedSince: Instant?

    /// - Parameter since: the time of the oldest update in a commit, which may have been in the spool before.
    mutating func committed(since: Instant) {
        committedSince = committedSince.map { min($0, since) } ?? since
    }

    /// - Parameter spooledSince: since when the spool has had something that is neither synced nor in the WAL.
    func step(spooledSince: Instant?, at now: Instant) -> Step {
        guard let oldest = [spooledSince, committedSince].compactMap(\.self).min() else { return .rest }
        let rest = Self.delay - oldest.duration(to: now)
        guard rest <= .zero else { return .wait(rest) }
        // What the writer's thread is about to bring into the WAL in time needs no sync in the spool.
        let isSpoolDue = spooledSince.map { $0.duration(to: now) >= Self.delay } ?? false
        return .sync(spool: isSpoolDue, wal: committedSince != nil)
    }

    /// A sync of the WAL begins. A commit that comes during it may not be covered, and is noted again.
    mutating func walSyncBegins() -> Instant? { committedSince.take() }
}
