import Synchronization

/// Puts the WAL on disk 25 ms after a commit, on a thread of its own, and so 50 ms after an append came to the spool:
/// what bounds a power cut's loss under ``Durability/normal``, and leaves a checkpoint little to sync.
final class WalSyncer: Sendable {
    private let interval = Duration.milliseconds(25)
    private let isDirty = Atomic(false)
    private let work = Semaphore()
    private let stopped = Semaphore()
    private let isStopped = Atomic(false)
    private let path: String

    init(path: String) { self.path = path }

    /// To be called after a commit.
    func markDirty() {
        if !isDirty.exchange(true, ordering: .acquiringAndReleasing) { work.post() }
    }

    func stop() {
        isStopped.store(true, ordering: .releasing)
        stopped.post()
        work.post()
    }

    /// Runs until `stop()`. Reports the first failure of a streak.
    func run(report: (LogError) -> Void) {
        var wal: WalFile?
        var hasFailed = false
        while true {
            work.wait()
            if isStopped.load(ordering: .acquiring) || stopped.wait(for: interval) { return }
            // Cleared before the sync: a commit that comes during it may not be covered, and asks again.
            isDirty.store(false, ordering: .releasing)
            do throws(LogError) {
                if wal == nil { wal = try WalFile(path: path) }
                try wal?.sync()
                hasFailed = false
            } catch {
                if !hasFailed { report(error) }
                hasFailed = true
                // Tried again without waiting for a commit: a disk that was full heals.
                markDirty()
            }
        }
    }
}
