import Diagnostics
import Posix
import SessionRecords
import SessionStore

/// Moves the spool's content into the log, on the writer's thread. This happens 1 s after an append came, 250 ms after it
/// if many followed (``Spool/busyBytes``), or at once if a read or a write must come after that append, or if the spool
/// holds much (``Spool/fullBytes``).
///
/// If the move fails, for example because the disk is full, requests that must come after the content fail too. The
/// move is repeated each second. The content is safe meanwhile: if the bridge is killed, the spool's file still has it
/// at the next start.
final class SpoolTransfer {
    /// A transaction costs about as much as ten rows, so it pays to gather them. Meanwhile the syncer syncs the spool
    /// (``SyncSchedule``), and the spool has room for some thousand updates.
    private static let delay = Duration.seconds(1)
    /// The delay if the spool holds more than a slow session writes (``Spool/busyBytes``).
    private static let busyDelay = Duration.milliseconds(250)
    private static let retryDelay = Duration.seconds(1)

    private let spool: Spool
    /// Nil while the log's files cannot be restored.
    var store: WriteConnection?
    private let replyBox: ReplyBox
    private let syncer: WalSyncer?
    private let reads: Inbox<ReaderThread.Job>
    /// The time to look into the spool, if no request requires it earlier.
    private var due: Instant?
    /// Appends that were taken from the spool and are not in the log yet.
    private var taken: [WriteRequest.Operation] = []
    /// The time when the oldest of the taken appends was stored.
    private var takenSince: Instant?
    /// The reason why the taken appends are not in the log yet.
    private(set) var failure: LogError?
    private var held: [ReadRequest] = []

    init(
        spool: Spool, store: WriteConnection, replyBox: ReplyBox, syncer: WalSyncer?, reads: Inbox<ReaderThread.Job>
    ) {
        self.spool = spool
        self.store = store
        self.replyBox = replyBox
        self.syncer = syncer
        self.reads = reads
    }

    /// Returns how long there is nothing to do here. Nil means until a request comes.
    func patience(at now: Instant) -> Duration? { due.map { max(.zero, $0 - now) } }

    /// Records that the caller has begun to use the spool, or that the spool holds much. This can have been while the
    /// writer's thread was busy.
    func expect(at now: Instant) {
        if spool.holdsMuch { due = now; return }
        let time = (spool.waitingSince ?? now) + (spool.isBusy ? Self.busyDelay : Self.delay)
        due = due.map { min($0, time) } ?? time
    }

    /// Records that the spool cannot be synced, so that its content must be moved now.
    func expectNow() { if spool.syncFailure.error != nil { due = .now } }

    var fileIdentity: FileIdentity? { spool.fileIdentity }

    func hold(_ request: ReadRequest) { held.append(request) }

    /// Moves the spool's content if that is due, or if these requests must come after it.
    func run(before batch: [WriteRequest], isFlush: Bool) {
        let isDue = due.map { $0 <= .now } ?? false
        guard isDue || isFlush || !held.isEmpty || failure != nil || spool.holdsAny(of: batch) else { return }
        transfer()
        passOnReads()
    }

    /// Records that these requests were committed or have failed.
    func done(_ batch: [WriteRequest], _ answers: [Answer?]) {
        spool.done(batch, answers) { sid in
            guard failure == nil, let session = store?.sessions[sid], !session.isSettled else { return nil }
            return session
        }
    }

    // MARK: When the log's files have lost their names

    /// Makes the spool refuse further appends, and moves all of its content into the log.
    func pause() throws(LogError) {
        spool.pause(true)
        spool.forgetHeads()
        repeat { transfer() } while failure == nil && (spool.waitingSince != nil || !taken.isEmpty)
        if let failure { throw failure }
    }

    func resume(withNewFile isNew: Bool) throws(LogError) {
        if isNew { try spool.beginNewFile() }
        spool.pause(false)
    }

    /// Moves the remaining content. Call this when no more requests come.
    func finish() {
        transfer()
        passOnReads()
        if failure == nil { spool.remove() }
    }

    private func transfer() {
        // Appends that failed to be stored before must be stored first.
        guard commitTaken() else { return }
        (taken, takenSince) = spool.takeWaiting()
        due = taken.isEmpty ? nil : .now + Self.delay
        _ = commitTaken()
    }

    /// Commits the taken appends. Returns whether none of them is left.
    private func commitTaken() -> Bool {
        guard !taken.isEmpty else { return true }
        do throws(LogError) {
            // No refusal is expected, because the spool accepted all of these appends under the log's rules.
            guard let store else { throw .closed }
            for refusal in try store.transfer(taken) {
                DiagnosticLog.daemon.record(.failed(doing: "storing updates of the spool", error: "\(refusal)"))
            }
        } catch {
            failure = error
            due = .now + Self.retryDelay
            spool.forgetHeads()
            return false
        }
        taken = []
        failure = nil
        syncCommitted()
        spool.release()
        return true
    }

    /// If the spool has been synced meanwhile, the WAL is synced now. It must be synced before the spool is overwritten,
    /// because the appends would become unsynced again otherwise. If not, the WAL is synced soon by the syncer.
    private func syncCommitted() {
        let since = takenSince.take() ?? .now
        let isSyncedInSpool = spool.unsyncedSince.map { $0 > since } ?? true
        if isSyncedInSpool, orLog("syncing the log", { try store?.wal.sync() }) ?? nil != nil { return }
        syncer?.committed(since: since)
    }

    private func passOnReads() {
        let count = held.count
        for request in held {
            if let failure, let sid = request.query.sid, isWaiting(sid) {
                replyBox.add([LogReply(ticket: request.ticket, answer: .failed(failure))])
            } else if !reads.put(.request(request)) {
                replyBox.add([LogReply(ticket: request.ticket, answer: .failed(.closed))])
            }
        }
        held = []
        spool.passedOn(reads: count)
    }

    private func isWaiting(_ sid: Int64) -> Bool { taken.contains { $0.sid == sid } || spool.isWaiting(sid) }
}
