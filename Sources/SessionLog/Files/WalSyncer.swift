import Synchronization

/// Puts stored updates on disk, on a thread of its own, when ``SyncSchedule`` says so: what bounds a power cut's loss under
/// ``Durability/normal``, and leaves a checkpoint little to sync.
///
/// Normally it syncs the WAL, after the writer's thread has brought the spool's contents there. If that thread is late,
/// because of a large transaction or a checkpoint, it syncs the spool.
final class WalSyncer: Sendable {
    private struct State {
        var schedule = SyncSchedule()
        var spool: Spool?
        /// It waits until something is unsynced.
        var isResting = false
        /// How often the WAL's file has been another one.
        var walGeneration = 0
    }

    /// After a failed sync.
    private static let retryPause = Duration.milliseconds(25)

    private let state = Mutex(State())
    private let work = Semaphore()
    private let stopped = Semaphore()
    private let isStopped = Atomic(false)
    private let path: String

    init(path: String) { self.path = path }

    /// To be called before the spool is used.
    func watch(_ spool: Spool) { state.withLock { $0.spool = spool } }

    /// To be called after a commit.
    ///
    /// - Parameter since: when the oldest update in it was stored.
    func committed(since: ContinuousClock.Instant) {
        wake { $0.schedule.committed(since: since) }
    }

    /// To be called when the spool has something that is not synced and had nothing before.
    func spooled() { wake { _ in } }

    /// SQLite has opened a WAL file that is another one than before.
    func walWasReplaced() { state.withLock { $0.walGeneration += 1 } }

    private func wake(_ change: (inout State) -> Void) {
        let mustPost = state.withLock { state in
            change(&state)
            defer { state.isResting = false }
            return state.isResting
        }
        if mustPost { work.post() }
    }

    func stop() {
        isStopped.store(true, ordering: .releasing)
        // It refers to this syncer.
        state.withLock { $0.spool = nil }
        stopped.post()
        work.post()
    }

    /// Runs until `stop()`. Reports the first failure of a streak.
    func run(report: (LogError) -> Void) {
        var wal = OpenWal()
        var hasFailed = false
        while !isStopped.load(ordering: .acquiring) {
            switch nextStep() {
            case .rest: work.wait()
            case .wait(let duration): if stopped.wait(for: duration) { return }
            case .sync(let spool, let isWalDue):
                do throws(LogError) {
                    if spool { try syncSpool() }
                    if isWalDue { try syncWal(&wal) }
                    hasFailed = false
                } catch {
                    if !hasFailed { report(error) }
                    hasFailed = true
                    // It is still due, also without another commit: a disk that was full heals.
                    if stopped.wait(for: Self.retryPause) { return }
                }
            }
        }
    }

    private func nextStep() -> SyncSchedule.Step {
        // In two steps: the spool calls with its own lock held.
        let spool = state.withLock { state in
            state.isResting = true
            return state.spool
        }
        let spooledSince = spool?.unsyncedSince
        return state.withLock { state in
            let step = state.schedule.step(spooledSince: spooledSince, at: .now)
            if step != .rest { state.isResting = false }
            // Something came between: look again at once.
            return step == .rest && !state.isResting ? .wait(.zero) : step
        }
    }

    private func syncSpool() throws(LogError) {
        try state.withLock { $0.spool }?.sync()
    }

    private func syncWal(_ wal: inout OpenWal) throws(LogError) {
        let (since, generation) = state.withLock { ($0.schedule.walSyncBegins(), $0.walGeneration) }
        do throws(LogError) {
            try wal.sync(path, generation: generation)
        } catch {
            if let since { state.withLock { $0.schedule.committed(since: since) } }
            throw error
        }
    }
}

/// The WAL's file as the syncing thread has it open.
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
