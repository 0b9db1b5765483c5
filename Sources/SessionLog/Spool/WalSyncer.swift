import Posix
import SessionRecords
import SessionStore
import Synchronization

/// Syncs stored updates to disk, on a separate thread, when ``SyncSchedule`` requires it. This bounds the loss in a
/// power cut under ``Durability/normal``, and leaves little to sync for a checkpoint.
///
/// It syncs the spool while the writer's thread gathers the spool's contents, and the WAL and the file of floods after
/// larger appends. When the
/// writer's thread has copied synced contents of the spool to the WAL, it syncs the WAL itself.
final class WalSyncer: Sendable {
    private struct State {
        var schedule = SyncSchedule()
        var spool: Spool?
        var lines: LinesFile?
        var wakeTime = WakeTime.next
        /// How often SQLite has replaced the WAL file.
        var walGeneration = 0
    }

    /// The time when the thread looks next for unsynced data.
    private enum WakeTime {
        /// It is about to look.
        case next
        case at(Instant)
        /// When it is woken.
        case none
    }

    /// The pause after a failed sync.
    private static let retryPause = Duration.milliseconds(25)

    private let state = Mutex(State())
    private let work = Semaphore()
    private let stopped = Semaphore()
    private let isStopped = Atomic(false)
    private let path: String

    init(path: String) { self.path = path }

    /// Adds the spool to the files that are synced. Call this before the spool is used.
    func watch(_ spool: Spool) { state.withLock { $0.spool = spool } }

    /// Adds the file of floods to the files that are synced.
    func watch(_ lines: LinesFile) { state.withLock { $0.lines = lines } }

    /// Records a commit that must be synced. Call this after the commit.
    ///
    /// - Parameter since: The time when the commit's oldest update was stored.
    func committed(since: Instant) {
        if mustWake(since: since, { $0.schedule.committed(since: since) }) { wake() }
    }

    /// Returns whether the caller must call ``wake()`` soon, because the spool has unsynced data since this time and the
    /// thread does not look in time by itself. Call this when the spool had none before.
    func mustWake(since: Instant) -> Bool { mustWake(since: since) { _ in } }

    /// Wakes the thread, so that it looks for unsynced data.
    func wake() { work.post() }

    /// Records that SQLite has opened a new WAL file.
    func walWasReplaced() { state.withLock { $0.walGeneration += 1 } }

    private func mustWake(since: Instant, _ change: (inout State) -> Void) -> Bool {
        state.withLock { state in
            change(&state)
            switch state.wakeTime {
            case .next: return false
            case .at(let time) where time <= SyncSchedule.dueTime(since: since): return false
            case .at, .none:
                state.wakeTime = .next
                return true
            }
        }
    }

    func stop() {
        isStopped.store(true, ordering: .releasing)
        // The spool refers to this syncer, so this breaks the reference cycle.
        state.withLock { $0.spool = nil }
        stopped.post()
        work.post()
    }

    /// Runs until `stop()`. Reports the first of several failures in a row.
    func run(report: (LogError) -> Void) {
        var wal = OpenWal()
        var hasFailed = false
        while !isStopped.load(ordering: .acquiring) {
            switch nextStep() {
            case .rest: work.wait()
            case .wait(let duration): _ = work.wait(for: duration)
            case .sync(let spool, let isWalDue):
                do throws(LogError) {
                    if spool { try syncSpool() }
                    if isWalDue { try syncWal(&wal) }
                    hasFailed = false
                } catch {
                    if !hasFailed { report(error) }
                    hasFailed = true
                    // The sync is still due, even without another commit, because a full disk can get free space again.
                    if stopped.wait(for: Self.retryPause) { return }
                }
            }
        }
    }

    private func nextStep() -> SyncSchedule.Step {
        // This needs two steps because the spool calls the syncer while it holds its own lock. Data that comes between them
        // wakes the thread, so that it looks again.
        let spool = state.withLock { state in
            state.wakeTime = .none
            return state.spool
        }
        let spooledSince = spool?.unsyncedSince
        return state.withLock { state in
            let now = Instant.now
            let step = state.schedule.step(spooledSince: spooledSince, at: now)
            switch step {
            case .rest: break
            case .wait(let duration): state.wakeTime = .at(now + duration)
            case .sync: state.wakeTime = .next
            }
            return step
        }
    }

    private func syncSpool() throws(LogError) {
        try state.withLock { $0.spool }?.sync()
    }

    private func syncWal(_ wal: inout OpenWal) throws(LogError) {
        let (since, generation, lines) = state.withLock {
            ($0.schedule.walSyncBegins(), $0.walGeneration, $0.lines)
        }
        do throws(LogError) {
            try lines?.sync()
            try wal.sync(path, generation: generation)
        } catch {
            if let since { state.withLock { $0.schedule.committed(since: since) } }
            throw error
        }
    }
}

/// The WAL file that the syncing thread has open.
private struct OpenWal: ~Copyable {
    private var file: WalFile?
    private var generation = 0

    mutating func sync(_ path: String, generation: Int) throws(LogError) {
        if file == nil || generation != self.generation {
            file = try WalFile(path: path)
            self.generation = generation
        }
        try file?.sync()
    }
}
