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
        var wal: SyncFailure?
        var look = Look.soon
        var isStopped = false
        /// How often SQLite has replaced the WAL file.
        var walGeneration = 0
    }

    /// The time when the thread looks next for unsynced data.
    private enum Look {
        /// It looks by itself.
        case soon
        case at(Instant)
        /// When the timer is set.
        case none
    }

    /// The pause after a failed sync. It is doubled for each further failure, because each attempt can write some MiB again.
    private static let retryPause = Duration.milliseconds(50)
    private static let longestRetryPause = Duration.seconds(3)

    private let askWriter: @Sendable () -> Void
    private let state = Mutex(State())
    /// Set only under the lock of `state`.
    private let timer: WakeTimer
    private let path: String

    /// - Parameter askWriter: reports a failure to the writer's thread, which mends it. Called on the syncing thread.
    init(path: String, askWriter: @escaping @Sendable () -> Void) throws(LogError) {
        do throws(SystemError) {
            timer = try WakeTimer()
        } catch {
            throw .system(operation: "create timer", path: path, errno: error.code)
        }
        self.path = path
        self.askWriter = askWriter
    }

    /// Adds the spool to the files that are synced. Call this before the spool is used.
    func watch(_ spool: Spool) { state.withLock { $0.spool = spool } }

    /// Adds the file of floods and the WAL to the files that are synced.
    func watch(_ lines: LinesFile, _ wal: SyncFailure) { state.withLock { ($0.lines, $0.wal) = (lines, wal) } }

    /// Records a commit that must be synced. Call this after the commit.
    ///
    /// - Parameter since: The time when the commit's oldest update was stored.
    func committed(since: Instant) {
        state.withLock { state in
            state.schedule.committed(since: since)
            look(at: SyncSchedule.dueTime(since: since), &state)
        }
    }

    /// Records that the spool has unsynced data since this time. Call this when the spool had none before.
    func spooled(since: Instant) { state.withLock { look(at: SyncSchedule.dueTime(since: since), &$0) } }

    /// Records that SQLite has opened a new WAL file.
    func walWasReplaced() { state.withLock { $0.walGeneration += 1 } }

    /// Lets the thread look at this time, or earlier. It sleeps until then: if it were woken now, a session that writes slowly
    /// would need a fifth more processor time.
    private func look(at time: Instant, _ state: inout State) {
        switch state.look {
        case .soon: return
        case .at(let earlier) where earlier <= time: return
        case .at, .none:
            state.look = .at(time)
            timer.set(time)
        }
    }

    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.look = .soon
            // The spool refers to this syncer, so this breaks the reference cycle.
            state.spool = nil
            timer.set(.now)
        }
    }

    /// Runs until `stop()`. Reports the first of several failures in a row, and nil when syncs succeed again.
    func run(report: (LogError?) -> Void) {
        var wal = OpenWal()
        var retryPause: Duration?
        while let step = nextStep() {
            switch step {
            case .rest, .wait: timer.wait()
            case .sync(let isSpoolDue, let isWalDue):
                guard let error = sync(isSpoolDue, isWalDue, &wal) else {
                    if retryPause != nil { report(nil) }
                    retryPause = nil
                    continue
                }
                if retryPause == nil { report(error) }
                let next = retryPause.map { min($0 * 2, Self.longestRetryPause) } ?? Self.retryPause
                pause(for: next)
                retryPause = next
            }
        }
    }

    /// Returns the first failure. A failure of one file does not keep the other from being synced.
    private func sync(_ isSpoolDue: Bool, _ isWalDue: Bool, _ wal: inout OpenWal) -> LogError? {
        var failure: LogError?
        do throws(LogError) { if isSpoolDue { try syncSpool() } } catch { failure = error }
        do throws(LogError) { if isWalDue { try syncWal(&wal) } } catch { failure = failure ?? error }
        return failure
    }

    /// Returns nil after `stop()`.
    private func nextStep() -> SyncSchedule.Step? {
        // This needs two steps because the spool calls the syncer while it holds its own lock. Data that comes between them
        // sets the timer.
        let spool = state.withLock { state in
            if !state.isStopped { state.look = .none }
            return state.spool
        }
        let spooledSince = spool?.unsyncedSince
        return state.withLock { state in
            guard !state.isStopped else { return nil }
            let step = state.schedule.step(spooledSince: spooledSince, at: .now)
            switch step {
            case .rest: break
            case .wait(let time): look(at: time, &state)
            case .sync: state.look = .soon
            }
            return step
        }
    }

    /// Waits after a failure. The sync is still due, even without another commit, because a full disk can get free space
    /// again.
    private func pause(for length: Duration) {
        let isStopped = state.withLock { state in
            if !state.isStopped { timer.set(.now + length) }
            return state.isStopped
        }
        if !isStopped { timer.wait() }
    }

    private func syncSpool() throws(LogError) {
        guard let spool = state.withLock({ $0.spool }) else { return }
        do throws(LogError) {
            try spool.sync()
        } catch {
            if spool.syncFailure.takeRequest() { askWriter() }
            throw error
        }
    }

    private func syncWal(_ wal: inout OpenWal) throws(LogError) {
        let (since, generation, lines, failure) = state.withLock {
            ($0.schedule.walSyncBegins(), $0.walGeneration, $0.lines, $0.wal)
        }
        do throws(LogError) {
            try lines?.sync()
            if let failure { try wal.sync(path, failure, generation: generation) }
        } catch {
            if let since { state.withLock { $0.schedule.committed(since: since) } }
            if failure?.takeRequest() == true { askWriter() }
            throw error
        }
    }
}

/// The WAL file that the syncing thread has open.
private struct OpenWal: ~Copyable {
    private var file: WalFile?
    private var generation = 0

    mutating func sync(_ path: String, _ failure: SyncFailure, generation: Int) throws(LogError) {
        if file == nil || generation != self.generation {
            file = try WalFile(path: path, failure: failure)
            self.generation = generation
        }
        try file?.sync()
    }
}
