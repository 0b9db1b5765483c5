/// Brings what is in the spool into the log, on the writer's thread: 25 ms after it came, and at once where something that
/// is to be read or written must come behind it.
///
/// While that fails, as on a full disk, what must come behind it fails too, and it is tried again each second. It is safe
/// meanwhile: should the bridge be killed, the spool's file has it at the next start.
final class SpoolTransfer {
    typealias Instant = ContinuousClock.Instant

    private static let delay = Duration.milliseconds(25)
    private static let retryDelay = Duration.seconds(1)

    private let spool: Spool
    /// Nil while the log's files cannot be put back.
    var store: WriteConnection?
    private let replyBox: ReplyBox
    private let syncer: WalSyncer?
    private let reads: Inbox<Reader.Job>
    /// When to look into the spool, if nothing calls for it earlier.
    private var due: Instant?
    /// Taken, and not in the log yet.
    private var taken: [WriteRequest.Operation] = []
    /// When the oldest of it was stored.
    private var takenSince: Instant?
    /// Why that is so.
    private(set) var failure: LogError?
    private var held: [ReadRequest] = []

    init(
        spool: Spool, store: WriteConnection, replyBox: ReplyBox, syncer: WalSyncer?, reads: Inbox<Reader.Job>
    ) {
        self.spool = spool
        self.store = store
        self.replyBox = replyBox
        self.syncer = syncer
        self.reads = reads
    }

    /// How long there is nothing to do here; nil: until something comes.
    func patience(at now: Instant) -> Duration? { due.map { max(.zero, now.duration(to: $0)) } }

    /// The caller has begun to use the spool, perhaps while this thread was busy.
    func expect(at now: Instant) { due = due ?? (spool.waitingSince ?? now) + Self.delay }

    func hold(_ request: ReadRequest) { held.append(request) }

    /// Does what is due, or must be done before these requests.
    func run(before batch: [WriteRequest], isFlush: Bool) {
        let isDue = due.map { $0 <= .now } ?? false
        guard isDue || isFlush || !held.isEmpty || failure != nil || spool.holdsAny(of: batch) else { return }
        transfer()
        passOnReads()
    }

    /// These are committed, or have failed.
    func done(_ batch: [WriteRequest], _ answers: [Answer?]) {
        spool.done(batch, answers) { sid in
            guard failure == nil, let session = store?.sessions[sid], !session.isSettled else { return nil }
            return session
        }
    }

    // MARK: When the log's files have lost their names

    /// Stores nothing more in the spool, and brings all of it into the log.
    func pause() throws(LogError) {
        spool.pause(true)
        spool.forgetHeads()
        repeat { transfer() } while failure == nil && (spool.waitingSince != nil || !taken.isEmpty)
        if let failure { throw failure }
    }

    func goOn(withNewFile isNew: Bool) throws(LogError) {
        if isNew { try spool.beginNewFile() }
        spool.pause(false)
    }

    /// No request comes any more.
    func finish() {
        transfer()
        passOnReads()
        if failure == nil { spool.remove() }
    }

    private func transfer() {
        // What failed before comes before all else.
        guard commitTaken() else { return }
        (taken, takenSince) = spool.take()
        due = taken.isEmpty ? nil : .now + Self.delay
        _ = commitTaken()
    }

    /// Whether nothing that was taken is left.
    private func commitTaken() -> Bool {
        guard !taken.isEmpty else { return true }
        do throws(LogError) {
            // None is expected: it was all accepted under the rules of the log.
            guard let store else { throw .closed }
            let refusals = try store.transfer(taken)
            replyBox.add(refusals.map { Reply(ticket: 0, answer: .syncFailed($0)) })
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

    /// The WAL is synced soon. If the spool had to be synced meanwhile, the WAL is synced now: before the spool is written
    /// over, so that nothing is unsynced again.
    private func syncCommitted() {
        let since = takenSince.take() ?? .now
        let isSyncedInSpool = spool.unsyncedSince.map { $0 > since } ?? true
        if isSyncedInSpool, (try? store?.syncWal()) != nil { return }
        syncer?.committed(since: since)
    }

    private func passOnReads() {
        let count = held.count
        for request in held {
            if let failure, let sid = request.query.sid, isWaiting(sid) {
                replyBox.add([Reply(ticket: request.ticket, answer: .failed(failure))])
            } else if !reads.put(.request(request)) {
                replyBox.add([Reply(ticket: request.ticket, answer: .failed(.closed))])
            }
        }
        held = []
        spool.passedOn(reads: count)
    }

    private func isWaiting(_ sid: Int64) -> Bool { taken.contains { $0.sid == sid } || spool.isWaiting(sid) }
}
