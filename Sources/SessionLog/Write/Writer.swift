import Glibc

/// The writer's thread: commits what waits, many sessions in one transaction, and answers after the commit. A lone small
/// append may be stored without it (``DirectWrites``).
///
/// No timer gathers requests. What comes during a commit makes the next, so a slow disk makes large transactions by
/// itself.
final class Writer {
    enum Job: Sendable {
        case request(WriteRequest)
        /// The WAL has grown long without it.
        case checkpoint
    }

    private let store: SharedStore
    private let replyBox: ReplyBox
    private let syncer: WalSyncer?
    private var pacer = Pacer()
    private var trims: [Trim] = []
    /// Deleted lives of which something is left.
    private var goneLives: [Int64] = []
    private var queue = WriteQueue()

    init(store: SharedStore, replyBox: ReplyBox, syncer: WalSyncer?) {
        self.store = store
        self.replyBox = replyBox
        self.syncer = syncer
        // What cannot be read now is found at the next start.
        goneLives = foundGoneLives() ?? []
    }

    /// Returns when the inbox is closed and all that was in it is answered.
    func run(_ inbox: Inbox<Job>) {
        do throws(LogError) {
            try store.use { (store) throws(LogError) in try store.settle() }
        } catch {
            // Tried again with each claim.
            replyBox.add([Reply(ticket: 0, answer: .syncFailed(error))])
        }
        while let jobs = isBusy ? inbox.takeWaiting() : inbox.take() {
            // What was left over has waited already.
            let mayWait = queue.isEmpty && !jobs.isEmpty
            for job in jobs { take(job) }
            if mayWait { pause(for: pacer.delay(at: .now), inbox) }
            commit(queue.takeBatch())
            trimChunk()
            deleteChunk()
            store.use { $0.checkpointIfDue() }
        }
        while !queue.isEmpty { commit(queue.takeBatch()) }
        replyBox.add(trims.map { Reply(ticket: $0.ticket, answer: .failed(.closed)) })
        store.close()
    }

    /// There is more to do without being asked. Work in small pieces goes on between the requests.
    private var isBusy: Bool { !queue.isEmpty || !trims.isEmpty || !goneLives.isEmpty }

    private func take(_ job: Job) {
        switch job {
        case .request(let request): queue.add(request)
        case .checkpoint: break
        }
    }

    /// What comes meanwhile goes along.
    private func pause(for delay: Duration, _ inbox: Inbox<Job>) {
        guard delay > .zero else { return }
        Self.sleep(delay)
        for job in inbox.takeWaiting() ?? [] { take(job) }
    }

    private func commit(_ batch: [WriteRequest]) {
        guard !batch.isEmpty else { return }
        pacer.commitBegins(requests: batch.count, at: .now)
        let answers = store.use { $0.commit(batch.map(\.operation)) } ?? []
        replyBox.add(replies(to: batch, answers))
        // After the replies: somebody waits for those.
        syncer?.markDirty()
    }

    private func replies(to batch: [WriteRequest], _ answers: [Answer?]) -> [Reply] {
        var replies: [Reply] = []
        replies.reserveCapacity(batch.count)
        for (request, answer) in zip(batch, answers) {
            if case .deleted = answer, case .delete(let sid) = request.operation { goneLives.append(sid) }
            // What could not be deleted before is tried again with them.
            if case .forgotten = answer { goneLives = foundGoneLives() ?? goneLives }
            if let answer {
                replies.append(Reply(ticket: request.ticket, answer: answer))
            } else if case .trim(let sid, let upTo) = request.operation {
                trims.append(Trim(ticket: request.ticket, sid: sid, upTo: upTo))
            }
        }
        return replies
    }

    private func trimChunk() {
        guard let trim = trims.first else { return }
        let answer: Answer?
        do throws(LogError) {
            answer = try store.use { (store) throws(LogError) in try store.trimChunk(trim) } ?? nil
        } catch {
            answer = .failed(error)
        }
        syncer?.markDirty()
        guard let answer else { return }
        trims.removeFirst()
        replyBox.add([Reply(ticket: trim.ticket, answer: answer)])
    }

    /// What fails is left for the next start: nobody can find it.
    private func deleteChunk() {
        guard let sid = goneLives.first else { return }
        if store.use({ (try? $0.deleteChunk(sid)) ?? true }) ?? true { goneLives.removeFirst() }
        syncer?.markDirty()
    }

    private func foundGoneLives() -> [Int64]? { store.use { try? $0.goneLives() } ?? nil }

    private static func sleep(_ duration: Duration) {
        var time = timespec(tv_sec: 0, tv_nsec: Int(duration / .nanoseconds(1)))
        nanosleep(&time, nil)
    }
}
