import Glibc
import Posix
import SessionRecords
import SessionStore
import Synchronization

/// Stores a small append at once, on the caller's own thread, in a separate file beside the log. The writer's thread
/// moves many such appends together into the log (``Writer``), up to 1 s later or when a reader needs them.
///
/// An append to the spool takes about 3 µs. An SQLite commit takes about 30 µs, two thread switches take as long again,
/// and the commits and syncs of a session that floods the log take some milliseconds. Like a commit, the spool's
/// content outlives the process: after a kill, the bridge stores it at its next start. The spool is not used under
/// ``Durability/full``, which promises more.
///
/// The caller can wait for the page cache here, for a twentieth of its time at most (``WaitingBudget``). So a slow disk
/// is soon left to the writer's thread.
final class Spool: Sendable {
    /// 256 KiB: some hundred updates. Then the writer's thread takes them without further delay, so that its
    /// transactions take a few milliseconds at most.
    static let fullBytes = SpoolFile.halfBytes / 4
    /// 64 KiB. From here on the writer's thread takes the updates after 250 ms instead of 1 s: smaller transactions delay the
    /// updates of a busy session less.
    static let busyBytes = fullBytes / 4

    private let path: String
    private let logId: UInt32
    private let syncer: WalSyncer?
    private let state: Mutex<State>
    /// Until what the spool had at the failed sync is in the log, no sync counts.
    let syncFailure = SyncFailure()

    /// A session that has used the spool, or can use it. One value, so that an append looks it up once.
    private struct SpooledSession {
        /// Counts the appends in the spool. Nil if appends must go by way of the writer's thread.
        var claimed: ClaimedSession?
        /// The number of requests that the writer's thread has. No append can overtake them.
        var queuedCount = 0
        /// True if the spool has appends that the writer's thread has not taken yet.
        var isWaiting = false

        var isUnknown: Bool { claimed == nil && queuedCount == 0 && !isWaiting }
    }

    private struct State: ~Copyable {
        var sessions: [Int64: SpooledSession] = [:]
        /// Each of these claims can be for any session.
        var queuedClaimsByName = 0
        /// Appends that the writer's thread has not taken yet, at most half a file.
        var waiting: [WriteRequest.Operation] = []
        /// The time when the oldest append in `waiting` came.
        var waitingSince: Instant?
        /// The time when the oldest append came that is neither synced here nor in the WAL.
        var unsyncedSince: Instant?
        var file: SpoolFile
        /// The memory for a record.
        var record: [UInt8] = []
        var half = 0
        var usedBytes = 0
        var generation: UInt64
        /// The writer's thread is moving the other half's content into the log.
        var isOtherHalfTaken = false
        /// The writer's thread knows that it must look into the spool.
        var isWatched = false
        /// The number of reads that the writer's thread was given and has not passed on yet.
        var heldReads = 0
        /// The value of `generation` at the last failed sync.
        var failedGeneration: UInt64 = 0
        var isDiskFull = false
        var isClosed = false
        /// The log's files are being restored under their names.
        var isPaused = false
        var budget = WaitingBudget(now: .now)

        /// Writes the beginning of `record`. Returns false if the disk has refused it.
        func writeRecord(_ byteCount: Int) -> Bool {
            record.withUnsafeBytes { bytes in
                let bytes = UnsafeRawBufferPointer(rebasing: bytes[..<byteCount])
                return (try? file.write(bytes, half: half, at: usedBytes)) != nil
            }
        }

        func isWaiting(_ sid: Int64) -> Bool { sessions[sid]?.isWaiting == true }

        mutating func noneWaits(of operations: [WriteRequest.Operation]) {
            var latest: Int64?
            for operation in operations where operation.sid != latest {
                latest = operation.sid
                guard let sid = latest, let index = sessions.index(forKey: sid) else { continue }
                sessions.values[index].isWaiting = false
                if sessions.values[index].isUnknown { sessions[sid] = nil }
            }
        }

        /// Changes what is known about a session.
        mutating func change(_ sid: Int64, _ change: (inout SpooledSession) -> Void) {
            var session = sessions[sid] ?? SpooledSession()
            change(&session)
            sessions[sid] = session.isUnknown ? nil : session
        }
    }

    /// - Parameters:
    ///   - generation: Higher than that of any record that can be in the file.
    ///   - syncer: Is notified when the spool has unsynced data.
    init(path: String, logId: UInt32, generation: UInt64, syncer: WalSyncer?) throws(LogError) {
        self.path = path
        self.syncer = syncer
        self.logId = logId
        state = Mutex(State(file: try SpoolFile(path: path), generation: generation))
        syncer?.watch(self)
    }

    // MARK: The caller's thread

    /// Stores an append. Returns nil if the writer's thread must handle the request: then nothing was stored, and a call of
    /// ``done(_:_:sessions:)`` must follow.
    func store(_ request: WriteRequest) -> StoredAppend? {
        state.withLock { state in
            let heldBytes = state.usedBytes
            let hadUnsynced = state.unsyncedSince != nil
            if let answer = store(request, &state) {
                func reached(_ mark: Int) -> Bool { heldBytes < mark && state.usedBytes >= mark }
                let mustWakeWriter = !state.isWatched || reached(Self.busyBytes) || reached(Self.fullBytes)
                state.isWatched = true
                if !hadUnsynced, let since = state.unsyncedSince { syncer?.spooled(since: since) }
                return StoredAppend(answer: answer, mustWakeWriter: mustWakeWriter)
            }
            if let sid = request.operation.sid { state.change(sid) { $0.queuedCount += 1 } }
            if request.operation.isClaimByName { state.queuedClaimsByName += 1 }
            return nil
        }
    }

    private func store(_ request: WriteRequest, _ state: inout State) -> Answer? {
        guard request.isSmallAppend, case .append(let sid, let epoch, let after, let items) = request.operation,
            state.queuedClaimsByName == 0, let index = state.sessions.index(forKey: sid)
        else { return nil }
        let session = state.sessions.values[index]
        guard session.queuedCount == 0, var claimed = session.claimed, claimed.epoch == epoch, claimed.head == after,
            let record = SpoolRecord(
                request.operation, timelineHead: claimed.timelineHead, generation: state.generation, logId: logId),
            // If the log could not store an append later, the append goes to the log now, and the log refuses it.
            claimed.count(items), write(record, &state)
        else { return nil }
        state.sessions.values[index] = SpooledSession(claimed: claimed, isWaiting: true)
        state.waiting.append(request.operation)
        return .appended(head: claimed.head, timelineHead: claimed.timelineHead)
    }

    private func write(_ record: SpoolRecord, _ state: inout State) -> Bool {
        let start = Instant.now
        guard !state.isClosed, !state.isPaused, !state.isDiskFull, state.budget.allows(at: start) else { return false }
        let byteCount = record.encode(into: &state.record)
        guard state.usedBytes + byteCount <= SpoolFile.halfBytes else { return false }
        defer { state.budget.spend(from: start, to: .now) }
        // If this fails, the writer's thread stores the append in the log, which reports the disk's fault or still has room.
        guard state.writeRecord(byteCount) else { return false }
        state.usedBytes += byteCount
        if state.waitingSince == nil { state.waitingSince = start }
        if state.unsyncedSince == nil { state.unsyncedSince = start }
        return true
    }

    /// Returns whether a read must go by way of the writer's thread and wait until the log has the spool's content.
    /// While one read waits there, later reads follow it, so that their order is kept.
    func holdsRead() -> Bool {
        state.withLock { state in
            guard !state.waiting.isEmpty || state.isOtherHalfTaken || state.heldReads > 0 else { return false }
            state.heldReads += 1
            return true
        }
    }

    /// Makes the spool refuse all further appends.
    func close() { state.withLock { $0.isClosed = true } }

    // MARK: The writer's thread

    /// Returns whether one of these requests concerns, or can concern, a session that has appends in the spool.
    func holdsAny(of requests: [WriteRequest]) -> Bool {
        state.withLock { state in
            requests.contains { $0.operation.sid.map { state.isWaiting($0) } ?? $0.operation.isClaimByName }
        }
    }

    func isWaiting(_ sid: Int64) -> Bool { state.withLock { $0.isWaiting(sid) } }

    /// Removes and returns the waiting appends. The half of the file that holds them stays unchanged until ``release()``.
    ///
    /// - Returns: The appends, and the time when the oldest of them came.
    func takeWaiting() -> (operations: [WriteRequest.Operation], since: Instant?) {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isWatched = false
                if !state.isOtherHalfTaken { nothingWaits(&state) }
                return ([], nil)
            }
            var taken: [WriteRequest.Operation] = []
            // The next appends are probably as many. To grow the list again costs a tenth of storing them.
            taken.reserveCapacity(state.waiting.count)
            swap(&taken, &state.waiting)
            let since = state.waitingSince.take()
            state.noneWaits(of: taken)
            state.half = 1 - state.half
            state.usedBytes = 0
            state.generation &+= 1
            state.isOtherHalfTaken = true
            return (taken, since)
        }
    }

    /// The log has everything, so nothing is left here to be synced.
    private func nothingWaits(_ state: inout State) {
        guard let number = syncFailure.number else { return }
        state.unsyncedSince = nil
        syncFailure.mended(number)
    }

    /// Frees the half that holds the taken appends. Call this when the log has them and the syncer was notified.
    func release() {
        state.withLock { state in
            state.isOtherHalfTaken = false
            if state.unsyncedSince != nil { state.unsyncedSince = state.waitingSince }
            if let number = syncFailure.number, state.generation > state.failedGeneration { syncFailure.mended(number) }
        }
    }

    /// The time when the oldest append came that the writer's thread has not taken yet.
    var waitingSince: Instant? { state.withLock { $0.waitingSince } }

    /// True if the appends that the writer's thread has not taken yet have ``fullBytes`` or more.
    var holdsMuch: Bool { state.withLock { $0.usedBytes >= Self.fullBytes } }

    /// True if they have ``busyBytes`` or more.
    var isBusy: Bool { state.withLock { $0.usedBytes >= Self.busyBytes } }

    // MARK: The syncing thread

    /// The time when the oldest append came that is neither synced here nor in the WAL.
    var unsyncedSince: Instant? { state.withLock { $0.unsyncedSince } }

    /// Returns when everything that was stored before is on disk or in the WAL.
    func sync() throws(LogError) {
        if let error = syncFailure.error { throw error }
        let (file, since) = state.withLock { state in
            // The time is cleared before the sync, because the sync can miss an append that comes during it.
            (state.file, state.unsyncedSince.take())
        }
        do throws(LogError) {
            try file.sync()
        } catch {
            state.withLock { state in
                syncFailure.record(error)
                // What comes into the spool from now on stays unsynced until the writer's thread has taken it, too.
                state.failedGeneration = state.generation
                if let since { state.unsyncedSince = min(since, state.unsyncedSince ?? since) }
            }
            throw error
        }
    }

    /// Makes every session go by way of the writer's thread before it can use the spool again.
    func forgetHeads() {
        state.withLock { state in for sid in state.sessions.keys { state.change(sid) { $0.claimed = nil } } }
    }

    /// Records that the writer's thread has handled these requests. A session without further requests on that thread
    /// can use the spool from now on.
    ///
    /// - Parameter sessions: Returns a session's present state, or nil if the session must not use the spool.
    func done(_ requests: [WriteRequest], _ answers: [Answer?], sessions: (Int64) -> ClaimedSession?) {
        state.withLock { state in
            for (request, answer) in zip(requests, answers) {
                var sid = request.operation.sid
                if let sid { state.change(sid) { $0.queuedCount = max(0, $0.queuedCount - 1) } }
                if request.operation.isClaimByName { state.queuedClaimsByName -= 1 }
                if case .claimed(let lease) = answer { sid = lease.sid }
                if let sid { state.change(sid) { if $0.queuedCount == 0 { $0.claimed = sessions(sid) } } }
            }
        }
    }

    func passedOn(reads count: Int) { state.withLock { $0.heldReads -= count } }

    /// Pauses or resumes the spool. While it is paused, appends go by way of the writer's thread.
    func pause(_ isPaused: Bool) { state.withLock { $0.isPaused = isPaused } }

    /// Begins a new file after the old one has lost its name. Call this while the spool is paused and the log has all
    /// its content.
    func beginNewFile() throws(LogError) {
        let file = try SpoolFile(path: path)
        state.withLock { state in
            state.file = file
            nothingWaits(&state)
            state.usedBytes = 0
            state.generation &+= 1
        }
    }

    var fileIdentity: FileIdentity? { state.withLock { $0.file.identity } }

    /// Deletes the file. Call this when the log has all the spool's content.
    func remove() { unlink(path) }

    /// For tests: see ``SessionLog/limitWaiting(to:)``.
    func limitWaiting(to most: Duration) {
        state.withLock { $0.budget = WaitingBudget(now: .now, most: most) }
    }

    /// For tests: see ``SessionLog/limitGrowth(pages:)``.
    func setDiskFull(_ isDiskFull: Bool) { state.withLock { $0.isDiskFull = isDiskFull } }
}
