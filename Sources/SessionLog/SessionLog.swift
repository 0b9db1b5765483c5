import Synchronization

/// The durable log of agent sessions: numbered updates, and the rare events between them, in one SQLite file.
///
/// For one caller, an event loop, which it does not make wait for the disk: a request is a value that is handed in, its
/// reply a value that is collected when `wake` has been called. Inside are a thread that writes, one that reads, and,
/// under ``Durability/normal``, one that syncs. Under that a small append, which takes less time than waking a thread, is
/// stored by the caller's own: in the page cache, in a file from which the writer brings it into SQLite's soon after, for a
/// twentieth of its time at most.
public final class SessionLog: Sendable {
    private let writes = Inbox<Writer.Job>()
    private let reads = Inbox<Reader.Job>()
    private let replyBox: ReplyBox
    private let threads: Mutex<LogThreads?>
    private let spool: Spool?
    /// What was found in the place of the file when that was damaged: where it lies now, and how many of its sessions
    /// could be taken over. Nil for a file that was whole, as far as opening it tells.
    public let damaged: (path: String, rescuedSessions: Int)?

    /// Opens the log, or creates it; one that is too damaged to be opened is put aside as `path.damaged`, and what can be
    /// read of it is taken over into a new one (``damaged``). Blocks until that is done. Lives that a killed process left become
    /// ended(``SessionRecord/crashedExit``).
    ///
    /// The folder of `path` must be there, on a local disk. The files (`path`, `-wal`, `-shm`, `-spool`, `.lock`) have mode
    /// 0600. What a killed process has left in `-spool` is stored first.
    /// `wake` is called on the log's threads, or the caller's own when it submits after ``close()``; at most once until
    /// the next ``takeReplies()``. It must not block: write to an eventfd.
    public init(path: String, durability: Durability, wake: @escaping @Sendable () -> Void) throws(LogError) {
        let replyBox = ReplyBox(wake: wake)
        self.replyBox = replyBox
        let threads = try LogThreads(
            file: LogFile(path: path), durability: durability, writes: writes, reads: reads, replyBox: replyBox)
        spool = threads.spool
        damaged = threads.damaged.map { ($0.path, $0.rescuedSessions) }
        self.threads = Mutex(threads)
    }

    deinit { close() }

    /// Returns at once, and one reply will come; or with the answer, if the request was done sooner than a thread would have
    /// been woken.
    public func submit(_ request: WriteRequest) -> Answer? {
        if let stored = spool?.store(request) {
            if stored.mustTell { _ = writes.put(.spooled) }
            return stored.answer
        }
        if !writes.put(.request(request)) { refuse(request.ticket) }
        return nil
    }

    /// Returns at once; one reply will come.
    public func submit(_ request: ReadRequest) {
        let isTaken = spool?.holdsRead() == true ? writes.put(.read(request)) : reads.put(.request(request))
        if !isTaken { refuse(request.ticket) }
    }

    /// The replies that have come since the last call; perhaps none. Reads are answered in their order, and so are
    /// writes, but for trims and small appends.
    public func takeReplies() -> [Reply] { replyBox.take() }

    /// Looks whether the log's files still have their names, and puts them back if not. To be called when something in
    /// their folder was deleted, moved or replaced; the log looks by itself too, once a second while it is used. Returns at
    /// once; ``Answer/filesRestored(_:)`` or ``Answer/filesLost(_:)`` comes if a file was missing.
    public func checkFiles() { _ = writes.put(.checkFiles) }

    /// Answers everything submitted (a trim under way stops where it is), brings the WAL into the file, and ends the
    /// threads. Blocks meanwhile. Replies can still be taken.
    public func close() {
        guard let threads = threads.withLock({ $0.take() }) else { return }
        threads.finish()
    }

    private func refuse(_ ticket: UInt64) {
        replyBox.add([Reply(ticket: ticket, answer: .failed(.closed))])
    }

    /// For tests: while `body` runs, the writer's thread does nothing.
    func holdWriter(_ body: () -> Void) {
        let (isHeld, isOver) = (Handoff<Void>(), Handoff<Void>())
        guard writes.put(.hold(isHeld, until: isOver)) else { return }
        isHeld.wait()
        body()
        isOver.give(())
    }

    /// For tests: nil without a spool.
    var hasUnsyncedSpool: Bool? { spool.map { $0.unsyncedSince != nil } }

    /// For tests: as if the disk had room for so many more pages, or again for all.
    func limitGrowth(pages: Int64?) {
        spool?.setDiskFull(pages != nil)
        let isDone = Handoff<Void>()
        if writes.put(.limitGrowth(pages: pages, isDone)) { isDone.wait() }
    }
}
