import Glibc

/// The writer's thread: commits whatever waits, all sessions in one transaction, and answers after the commit.
///
/// No timer gathers requests. What comes during a commit makes the next, so a slow disk makes large transactions by
/// itself.
final class Writer {
    enum Job: Sendable {
        case request(WriteRequest)
        /// For tests: a disk with room for so many more pages, or all again.
        case limitGrowth(pages: Int64?)
    }

    /// 4 MiB in a transaction, so that one session's flood does not hold up the others' replies. A larger append goes
    /// alone.
    static let transactionBytes = 4 << 20

    private let store: WriteConnection
    private let replyBox: ReplyBox
    private let syncer: WalSyncer?
    private var pacer = Pacer()
    private var trims: [Trim] = []
    /// Deleted lives of which something is left.
    private var goneLives: [Int64]
    private var batch: [WriteRequest] = []
    private var batchBytes = 0

    init(store: WriteConnection, replyBox: ReplyBox, syncer: WalSyncer?) {
        self.store = store
        self.replyBox = replyBox
        self.syncer = syncer
        // What cannot be read now is found at the next start.
        goneLives = (try? store.goneLives()) ?? []
    }

    /// Returns when the inbox is closed and all that was in it is answered.
    func run(_ inbox: Inbox<Job>) {
        do throws(LogError) { try store.settle() } catch {
            // Tried again with each claim.
            replyBox.add([Reply(ticket: 0, answer: .syncFailed(error))])
        }
        while var jobs = hasChores ? inbox.takeWaiting() : inbox.take() {
            let delay = jobs.isEmpty ? .zero : pacer.delay(at: .now)
            if delay > .zero {
                Self.sleep(delay)
                jobs += inbox.takeWaiting() ?? []
            }
            for job in jobs { take(job) }
            flush()
            trimChunk()
            deleteChunk()
        }
        replyBox.add(trims.map { Reply(ticket: $0.ticket, answer: .failed(.closed)) })
        store.checkpoint()
    }

    /// Work in small pieces, between the requests.
    private var hasChores: Bool { !trims.isEmpty || !goneLives.isEmpty }

    private func take(_ job: Job) {
        switch job {
        case .limitGrowth(let pages):
            flush()
            store.limitGrowth(pages: pages)
        case .request(let request):
            if batchBytes + request.costBytes > Self.transactionBytes { flush() }
            batch.append(request)
            batchBytes += request.costBytes
        }
    }

    private func flush() {
        guard !batch.isEmpty else { return }
        pacer.commitBegins(requests: batch.count, at: .now)
        let answers = store.commit(batch.map(\.operation))
        var replies: [Reply] = []
        replies.reserveCapacity(batch.count)
        for (request, answer) in zip(batch, answers) {
            if case .deleted = answer, case .delete(let sid) = request.operation { goneLives.append(sid) }
            // What could not be deleted before is tried again with them.
            if case .forgotten = answer { goneLives = (try? store.goneLives()) ?? goneLives }
            if let answer {
                replies.append(Reply(ticket: request.ticket, answer: answer))
            } else if case .trim(let sid, let upTo) = request.operation {
                trims.append(Trim(ticket: request.ticket, sid: sid, upTo: upTo))
            }
        }
        batch.removeAll(keepingCapacity: true)
        batchBytes = 0
        replyBox.add(replies)
        // After the replies: somebody waits for those.
        syncer?.markDirty()
    }

    private func trimChunk() {
        guard let trim = trims.first else { return }
        let answer: Answer?
        do throws(LogError) { answer = try store.trimChunk(trim) } catch { answer = .failed(error) }
        syncer?.markDirty()
        guard let answer else { return }
        trims.removeFirst()
        replyBox.add([Reply(ticket: trim.ticket, answer: answer)])
    }

    /// What fails is left for the next start: nobody can find it.
    private func deleteChunk() {
        guard let sid = goneLives.first else { return }
        if (try? store.deleteChunk(sid)) ?? true { goneLives.removeFirst() }
        syncer?.markDirty()
    }

    private static func sleep(_ duration: Duration) {
        var time = timespec(tv_sec: 0, tv_nsec: Int(duration / .nanoseconds(1)))
        nanosleep(&time, nil)
    }
}
