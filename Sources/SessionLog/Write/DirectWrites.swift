import Synchronization

/// Lets the caller's own thread store a lone small append while nobody else writes: two thread switches take longer than
/// the append itself, some 25 µs.
///
/// The caller waits for the page cache alone, since nothing is synced here; and not even for that while the disk is busy
/// with a sync. How long it may wait in all ``WaitingBudget`` says, so a slow disk is soon left to the writer's thread.
final class DirectWrites: Sendable {
    private let store: SharedStore
    private let syncer: WalSyncer
    private let budget = Mutex(WaitingBudget(now: .now))

    init(store: SharedStore, syncer: WalSyncer) {
        self.store = store
        self.syncer = syncer
    }

    /// The answer, and whether the WAL has grown so long that the writer's thread should see to it. Nil where it is for
    /// the writer's thread: then nothing was done.
    func store(_ request: WriteRequest) -> (answer: Answer, isCheckpointDue: Bool)? {
        guard request.isSmallAppend, !syncer.isSyncing else { return nil }
        let start = ContinuousClock.now
        guard budget.withLock({ $0.allows(at: start) }) else { return nil }
        let outcome = store.useIfFree { store in (store.storeAlone(request.operation), store.isCheckpointDue) }
        guard let outcome, let answer = outcome.0 else { return nil }
        syncer.markDirty()
        budget.withLock { $0.spend(start.duration(to: .now)) }
        return (answer, outcome.1)
    }
}
