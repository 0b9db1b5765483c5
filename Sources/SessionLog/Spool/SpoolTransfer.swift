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
    private let store: WriteConnection
    private let replyBox: ReplyBox
    private let reads: Inbox<ReadRequest>
    /// When to look into the spool, if nothing calls for it earlier.
    private var due: Instant?
    /// Taken, and not in the log yet.
    private var taken: [WriteRequest.Operation] = []
    /// Why that is so.
    private(set) var failure: LogError?
    private var held: [ReadRequest] = []

    init(spool: Spool, store: WriteConnection, replyBox: ReplyBox, reads: Inbox<ReadRequest>) {
        self.spool = spool
        self.store = store
        self.replyBox = replyBox
        self.reads = reads
    }

    /// How long there is nothing to do here; nil: until something comes.
    func patience(at now: Instant) -> Duration? { due.map { max(.zero, now.duration(to: $0)) } }

    /// The caller has begun to use the spool.
    func expect(at now: Instant) { due = due ?? now + Self.delay }

    func hold(_ request: ReadRequest) { held.append(request) }

    /// Does what is due, or must be done before these requests. Returns whether something was committed.
    func run(before batch: [WriteRequest], isFlush: Bool) -> Bool {
        let isDue = due.map { $0 <= .now } ?? false
        guard isDue || isFlush || !held.isEmpty || failure != nil || spool.holdsAny(of: batch) else { return false }
        let hasCommitted = transfer()
        passOnReads()
        return hasCommitted
    }

    /// These are committed, or have failed.
    func done(_ batch: [WriteRequest], _ answers: [Answer?]) {
        spool.done(batch, answers) { sid in
            guard failure == nil, let session = store.sessions[sid], !session.isSettled else { return nil }
            return session
        }
    }

    /// No request comes any more.
    func finish() {
        _ = transfer()
        passOnReads()
        if failure == nil { spool.remove() }
    }

    private func transfer() -> Bool {
        // What failed before comes before all else.
        guard commitTaken() else { return false }
        taken = spool.take()
        due = taken.isEmpty ? nil : .now + Self.delay
        return !taken.isEmpty && commitTaken()
    }

    /// Whether nothing that was taken is left.
    private func commitTaken() -> Bool {
        guard !taken.isEmpty else { return true }
        do throws(LogError) {
            // None is expected: it was all accepted under the rules of the log.
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
        spool.release()
        return true
    }

    private func passOnReads() {
        let count = held.count
        for request in held {
            if let failure, let sid = request.query.sid, isWaiting(sid) {
                replyBox.add([Reply(ticket: request.ticket, answer: .failed(failure))])
            } else if !reads.put(request) {
                replyBox.add([Reply(ticket: request.ticket, answer: .failed(.closed))])
            }
        }
        held = []
        spool.passedOn(reads: count)
    }

    private func isWaiting(_ sid: Int64) -> Bool { taken.contains { $0.sid == sid } || spool.isWaiting(sid) }
}
