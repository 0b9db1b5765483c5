import Glibc
import Synchronization

/// Where a small append is stored at once, by the caller's own thread: in a file of its own beside the log, from where the
/// writer's thread brings many together into the log (``Writer``), 25 ms later or when somebody wants to read them.
///
/// An append takes some 3 µs so, where a commit of SQLite's takes 30, two thread switches as much again, and the commits
/// and syncs of a session that floods some milliseconds. What is in the spool outlives the process, as a commit does; a
/// bridge that was killed finds it at its next start. Not under ``Durability/full``, which promises more.
///
/// The caller may wait for the page cache here, for a twentieth of its time at most (``WaitingBudget``): a slow disk is soon
/// left to the writer's thread.
final class Spool: Sendable {
    private let path: String
    private let logId: UInt32
    private let syncer: WalSyncer?
    private let state: Mutex<State>

    private struct State: ~Copyable {
        /// As they are with what is in the spool.
        var heads: [Int64: ClaimedSession] = [:]
        /// How many requests the writer's thread has of a session. Nothing may overtake them.
        var queued: [Int64: Int] = [:]
        /// Each may be of any session.
        var queuedClaimsByName = 0
        /// What nobody has taken yet, at most half a file.
        var waiting: [WriteRequest.Operation] = []
        var waitingSids: Set<Int64> = []
        /// When the oldest of it came.
        var waitingSince: ContinuousClock.Instant?
        /// When the oldest came that is neither synced here nor in the WAL.
        var unsyncedSince: ContinuousClock.Instant?
        var file: SpoolFile
        var half = 0
        var usedBytes = 0
        var generation: UInt64
        /// What is in the other half is being brought into the log.
        var isOtherHalfTaken = false
        /// The writer's thread knows that it will have to look here.
        var isWatched = false
        /// Reads that it has been given and not passed on.
        var heldReads = 0
        var isDiskFull = false
        var isClosed = false
        /// The log's files are being put back under their names.
        var isPaused = false
        var budget = WaitingBudget(now: .now)
    }

    /// - Parameter syncer: is notified of what is to be synced.
    init(of store: WriteConnection, path: String, syncer: WalSyncer?) throws(LogError) {
        self.path = path
        self.syncer = syncer
        logId = store.logId
        state = Mutex(State(file: try SpoolFile(path: path), generation: store.spoolGeneration))
        syncer?.watch(self)
    }

    // MARK: The caller's thread

    /// The answer, and whether the writer's thread must be told to look. Nil where it is for the writer's thread: then
    /// nothing was stored, and ``done(_:_:sessions:)`` must follow.
    func store(_ request: WriteRequest) -> (answer: Answer, mustTell: Bool)? {
        state.withLock { state in
            if let answer = store(request, &state) {
                defer { state.isWatched = true }
                return (answer, !state.isWatched)
            }
            if let sid = request.operation.sid { state.queued[sid, default: 0] += 1 }
            if request.operation.isClaimByName { state.queuedClaimsByName += 1 }
            return nil
        }
    }

    private func store(_ request: WriteRequest, _ state: inout State) -> Answer? {
        guard request.isSmallAppend, case .append(let sid, let epoch, let after, let items) = request.operation,
            state.queued[sid] == nil, state.queuedClaimsByName == 0,
            var session = state.heads[sid], session.epoch == epoch, session.head == after,
            // What could not be brought into the log later is refused by it now.
            let rows = try? AppendRow.rows(of: items), write(request.operation, &state)
        else { return nil }
        for row in rows { session.count(row) }
        state.heads[sid] = session
        state.waiting.append(request.operation)
        state.waitingSids.insert(sid)
        return .appended(head: session.head, timelineHead: session.timelineHead)
    }

    private func write(_ operation: WriteRequest.Operation, _ state: inout State) -> Bool {
        let start = ContinuousClock.now
        guard !state.isClosed, !state.isPaused, !state.isDiskFull, state.budget.allows(at: start),
            let bytes = SpoolRecord(operation, generation: state.generation, logId: logId)?.encoded(),
            state.usedBytes + bytes.count <= SpoolFile.halfBytes
        else { return false }
        defer { state.budget.spend(start.duration(to: .now)) }
        let isFirstUnsynced = state.unsyncedSince == nil
        do throws(LogError) {
            try state.file.write(bytes, half: state.half, at: state.usedBytes)
        } catch {
            // The log itself says what is wrong with the disk, or has room.
            return false
        }
        state.usedBytes += bytes.count
        state.waitingSince = state.waitingSince ?? start
        if isFirstUnsynced {
            state.unsyncedSince = start
            syncer?.spooled()
        }
        return true
    }

    /// Whether a read must wait until the log has what is in the spool, and go by way of the writer's thread; others that
    /// come while one does go with it, to keep their order.
    func holdsRead() -> Bool {
        state.withLock { state in
            guard !state.waiting.isEmpty || state.isOtherHalfTaken || state.heldReads > 0 else { return false }
            state.heldReads += 1
            return true
        }
    }

    /// Stores nothing more.
    func close() { state.withLock { $0.isClosed = true } }

    // MARK: The writer's thread

    /// Whether one of these is of a session that has something here, or may turn out to be.
    func holdsAny(of requests: [WriteRequest]) -> Bool {
        state.withLock { state in
            requests.contains { $0.operation.sid.map { state.waitingSids.contains($0) } ?? $0.operation.isClaimByName }
        }
    }

    func isWaiting(_ sid: Int64) -> Bool { state.withLock { $0.waitingSids.contains(sid) } }

    /// What waits; the half that holds it stays as it is until ``release()``.
    ///
    /// - Returns: also when the oldest of it came.
    func take() -> (operations: [WriteRequest.Operation], since: ContinuousClock.Instant?) {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isWatched = false
                return ([], nil)
            }
            var taken: [WriteRequest.Operation] = []
            swap(&taken, &state.waiting)
            let since = state.waitingSince.take()
            state.waitingSids.removeAll(keepingCapacity: true)
            state.half = 1 - state.half
            state.usedBytes = 0
            state.generation &+= 1
            state.isOtherHalfTaken = true
            return (taken, since)
        }
    }

    /// The log has what was taken, and the syncer has been notified of it.
    func release() {
        state.withLock { state in
            state.isOtherHalfTaken = false
            if state.unsyncedSince != nil { state.unsyncedSince = state.waitingSince }
        }
    }

    /// When the oldest came of what nobody has taken yet.
    var waitingSince: ContinuousClock.Instant? { state.withLock { $0.waitingSince } }

    // MARK: The syncing thread

    /// When the oldest came of what is neither synced here nor in the WAL.
    var unsyncedSince: ContinuousClock.Instant? { state.withLock { $0.unsyncedSince } }

    /// Returns when everything that was stored before is on disk, or in the WAL.
    func sync() throws(LogError) {
        let (file, since) = state.withLock { state in
            // Cleared before the sync: what comes during it may not be covered.
            (state.file, state.unsyncedSince.take())
        }
        do throws(LogError) {
            try file.sync()
        } catch {
            state.withLock { state in
                if let since { state.unsyncedSince = min(since, state.unsyncedSince ?? since) }
            }
            throw error
        }
    }

    /// Every session is to go by way of the writer's thread first.
    func forgetHeads() { state.withLock { $0.heads = [:] } }

    /// The writer's thread has done these. A session of which it has nothing left to do may use the spool from here on.
    ///
    /// - Parameter sessions: as they are now; nil for those that may not.
    func done(_ requests: [WriteRequest], _ answers: [Answer?], sessions: (Int64) -> ClaimedSession?) {
        state.withLock { state in
            for (request, answer) in zip(requests, answers) {
                var sid = request.operation.sid
                if let sid { state.queued[sid] = state.queued[sid].flatMap { $0 > 1 ? $0 - 1 : nil } }
                if request.operation.isClaimByName { state.queuedClaimsByName -= 1 }
                if case .claimed(let lease) = answer { sid = lease.sid }
                if let sid, state.queued[sid] == nil { state.heads[sid] = sessions(sid) }
            }
        }
    }

    func passedOn(reads count: Int) { state.withLock { $0.heldReads -= count } }

    /// While it is paused, appends go by way of the writer's thread.
    func pause(_ isPaused: Bool) { state.withLock { $0.isPaused = isPaused } }

    /// The file has lost its name. To be called while the spool is paused and all of it is in the log.
    func beginNewFile() throws(LogError) {
        let file = try SpoolFile(path: path)
        state.withLock { state in
            state.file = file
            state.usedBytes = 0
            state.generation &+= 1
        }
    }

    /// When all of it is in the log.
    func remove() { unlink(path) }

    /// For tests: see ``SessionLog/limitGrowth(pages:)``.
    func setDiskFull(_ isDiskFull: Bool) { state.withLock { $0.isDiskFull = isDiskFull } }
}
