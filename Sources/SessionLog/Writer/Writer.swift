import Diagnostics
import Glibc
import Posix
import SessionRecords
import SessionStore

/// The writer's thread. It commits waiting requests, for many sessions in one transaction, and answers after the
/// commit. It also moves the spool's content into the log (``Spool``).
///
/// No timer gathers requests. Requests that come during a commit form the next transaction, so a slow disk makes large
/// transactions by itself.
final class Writer {
    enum Job: Sendable {
        case request(WriteRequest)
        /// The spool has content.
        case spooled
        /// Pass this read on to the reader's thread when the log has the spool's content.
        case read(ReadRequest)
        /// A sync of the spool or the WAL has failed on the syncing thread.
        case syncHasFailed
        /// Signal this handoff when everything that came before is in the log or cannot be stored there.
        case flush(Handoff<Void>)
        /// See ``SessionLog/checkFiles()``.
        case checkFiles
        /// See ``SessionLog/holdWriter(_:)``.
        case hold(Handoff<Void>, until: Handoff<Void>)
        /// For tests: call this on the writer's thread.
        case change(@Sendable (WriteConnection) -> Void, Handoff<Void>)
    }

    /// A trim in progress.
    private struct Trim {
        let ticket: UInt64
        let sid: Int64
        let upTo: Int64
    }

    /// Nil while the log's files cannot be restored.
    private(set) var store: WriteConnection?
    let spool: SpoolTransfer?
    let replyBox: ReplyBox
    let syncer: WalSyncer?
    /// The state for `Writer+Files.swift`.
    var care: FileCare
    private var isFileCheckAsked = false
    private var pacer = Pacer()
    private var trims: [Trim] = []
    /// Deleted incarnations that still have stored data.
    private var goneIncarnations: [Int64] = []
    /// The space of deleted updates is given back from this time on.
    private var nextFreeing = Instant.now
    private var queue = WriteQueue()
    private var flushes: [Handoff<Void>] = []

    init(store: WriteConnection, care: FileCare, spool: SpoolTransfer?, replyBox: ReplyBox, syncer: WalSyncer?) {
        self.store = store
        self.care = care
        self.spool = spool
        self.replyBox = replyBox
        self.syncer = syncer
        // If this cannot be read now, the next start finds the incarnations.
        goneIncarnations = orLog("finding deleted sessions") { try store.goneIncarnations() } ?? []
    }

    /// Returns when the inbox is closed and all its requests are answered.
    func run(_ inbox: Inbox<Job>) {
        // If this fails, every claim tries it again.
        orLog("syncing the log") { () throws(LogError) in try store?.settle() }
        while let jobs = isBusy ? inbox.drainNow() : inbox.drain(within: patience) {
            // Requests left over from the previous round have waited already.
            let mayWait = queue.isEmpty
            for job in jobs { handle(job) }
            checkFiles(isAsked: isFileCheckAsked)
            isFileCheckAsked = false
            if mayWait, !queue.isEmpty { pause(for: pacer.delay(at: .now), inbox) }
            commitNext()
            giveFlushes()
            trimChunk()
            deleteChunk()
            freeChunk()
            if care.failure == nil { store?.checkpointIfDue() }
        }
        checkFiles(isAsked: true)
        while !queue.isEmpty { commitNext() }
        replyBox.add(trims.map { LogReply(ticket: $0.ticket, answer: .failed(.closed)) })
        spool?.finish()
        store?.checkpointAll()
    }

    /// Makes `store` the connection for everything on this thread from now on.
    func use(_ store: WriteConnection?) {
        self.store = store
        spool?.store = store
    }

    /// How long to wait for the next request. Nil means until one comes.
    private var patience: Duration? {
        let now = Instant.now
        let patience = spool?.patience(at: now)
        guard care.failure != nil else {
            guard store?.outside.hasFreed == true else { return patience }
            let untilFreeing = max(.zero, nextFreeing - now)
            return patience.map { min($0, untilFreeing) } ?? untilFreeing
        }
        let untilCheck = max(.zero, care.nextCheck - now)
        return patience.map { max($0, untilCheck) } ?? untilCheck
    }

    private var isFreeingDue: Bool { store?.outside.hasFreed == true && nextFreeing <= .now }

    /// True if there is work left without a new request. Work in small pieces continues between the requests.
    private var isBusy: Bool {
        !queue.isEmpty
            || (care.failure == nil && (!trims.isEmpty || !goneIncarnations.isEmpty || isFreeingDue))
    }

    private func handle(_ job: Job) {
        switch job {
        case .request(let request): queue.add(request)
        case .spooled: spool?.expect(at: .now)
        case .read(let request): spool?.hold(request)
        case .syncHasFailed:
            spool?.expectNow()
            // The syncer reports the failure, and asks again.
            try? store?.wal.syncIfItHasFailed()
        case .flush(let handoff): flushes.append(handoff)
        case .hold(let isHeld, let isOver):
            isHeld.give(())
            isOver.wait()
        case .checkFiles: isFileCheckAsked = true
        case .change(let change, let handoff):
            if let store { change(store) }
            handoff.give(())
        }
    }

    /// Waits before a commit. Requests that come meanwhile join the commit.
    private func pause(for delay: Duration, _ inbox: Inbox<Job>) {
        guard delay > .zero else { return }
        Self.sleep(delay)
        for job in inbox.drainNow() ?? [] { handle(job) }
    }

    private func commitNext() {
        let batch = queue.takeBatch()
        spool?.run(before: batch, isFlush: !flushes.isEmpty)
        guard !batch.isEmpty else { return }
        let start = Instant.now
        pacer.commitBegins(requests: batch.count, at: start)
        let answers = commit(batch.map(\.operation))
        // This must come before the replies, because the next request can follow a reply at once.
        spool?.done(batch, answers)
        replyBox.add(replies(to: batch, answers))
        // This comes after the replies, because callers wait for the replies.
        syncer?.committed(since: start)
    }

    private func commit(_ operations: [WriteRequest.Operation]) -> [Answer?] {
        guard care.failure == nil, let store else {
            return operations.map { _ in .failed(care.failure ?? .closed) }
        }
        return store.commit(operations, behind: spool?.failure)
    }

    private func giveFlushes() {
        guard queue.isEmpty else { return }
        for flush in flushes { flush.give(()) }
        flushes = []
    }

    private func replies(to batch: [WriteRequest], _ answers: [Answer?]) -> [LogReply] {
        var replies: [LogReply] = []
        replies.reserveCapacity(batch.count)
        for (request, answer) in zip(batch, answers) {
            if case .deleted = answer, case .delete(let sid) = request.operation { goneIncarnations.append(sid) }
            // Lives that could not be deleted before are tried again together with the new ones.
            if case .forgotten = answer {
                goneIncarnations =
                    (orLog("finding deleted sessions") { try store?.goneIncarnations() } ?? nil) ?? goneIncarnations
            }
            if let answer {
                replies.append(LogReply(ticket: request.ticket, answer: answer))
            } else if case .trim(let sid, let upTo) = request.operation {
                trims.append(Trim(ticket: request.ticket, sid: sid, upTo: upTo))
            }
        }
        return replies
    }

    private func trimChunk() {
        guard care.failure == nil, let store, let trim = trims.first else { return }
        let answer: Answer?
        do throws(LogError) {
            answer = try store.trimChunk(sid: trim.sid, upTo: trim.upTo)
        } catch {
            answer = .failed(error)
        }
        syncer?.committed(since: .now)
        guard let answer else { return }
        trims.removeFirst()
        replyBox.add([LogReply(ticket: trim.ticket, answer: answer)])
    }

    /// If this fails, the next start tries again. The incarnation is already hidden from all readers.
    private func deleteChunk() {
        guard care.failure == nil, let store, let sid = goneIncarnations.first else { return }
        if orLog("deleting a session", { try store.deleteChunk(sid) }) ?? true { goneIncarnations.removeFirst() }
        syncer?.committed(since: .now)
    }

    /// Waits until no deletion is under way, so that one sync serves several chunks. For the same reason it does this once a
    /// second at most: a flooding session with a limit is trimmed all the time.
    private func freeChunk() {
        guard care.failure == nil, trims.isEmpty, goneIncarnations.isEmpty, isFreeingDue else { return }
        nextFreeing = .now + .seconds(1)
        orLog("giving back the space of deleted updates") { () throws(LogError) in try store?.freeLines() }
    }

    private static func sleep(_ duration: Duration) {
        var time = timespec(tv_sec: 0, tv_nsec: Int(duration / .nanoseconds(1)))
        nanosleep(&time, nil)
    }
}
