import SessionRecords
import SessionStore
import Synchronization

/// The durable log of agent sessions. An SQLite file holds numbered updates and the rare events between them; the updates of
/// floods are in a file beside it.
///
/// The log serves one caller, an event loop, and does not make it wait for the disk. A request is a value that the
/// caller submits. A reply is a value that the caller collects after `wake` was called. The log has one thread that
/// writes, one that reads and, under ``Durability/normal``, one that syncs.
///
/// Under ``Durability/normal`` the caller's own thread stores a small append, because that takes less time than waking
/// another thread. The append goes to the page cache, in a separate file. Soon after, the writer copies it from that
/// file to SQLite's. The caller's thread spends at most a twentieth of its time on this.
package final class SessionLog: Sendable {
    private let writes: Inbox<Writer.Job>
    private let reads: Inbox<ReaderThread.Job>
    private let replyBox: ReplyBox
    private let threads: Mutex<LogThreads?>
    private let spool: Spool?
    /// The damaged file that was replaced when the log was opened: its present path, and the number of sessions that
    /// were copied from it. Nil if opening found no damage.
    package let damaged: (path: String, rescuedSessions: Int)?

    /// Blocks until the log is open, also if a damaged log must be copied. A log can be taken from its opening once.
    package init(_ opening: LogOpening) throws(LogError) {
        (writes, reads, replyBox) = (opening.writes, opening.reads, opening.replyBox)
        let threads = try opening.threads()
        spool = threads.spool
        damaged = threads.damaged.map { ($0.path, $0.rescuedSessions) }
        self.threads = Mutex(threads)
    }

    /// Opens the log at once: see ``LogOpening``.
    package convenience init(
        path: String, durability: Durability, wake: @escaping @Sendable () -> Void
    ) throws(LogError) {
        try self.init(LogOpening(path: path, durability: durability, wake: wake))
    }

    deinit { close() }

    /// Submits a request and returns at once. One reply follows. If the request took less time than waking a thread,
    /// the answer is returned here instead.
    package func submit(_ request: WriteRequest) -> StoredAppend? {
        if let stored = spool?.store(request) { return stored }
        if !writes.put(.request(request)) { refuse(request.ticket) }
        return nil
    }

    /// Wakes the writer's thread, which a stored append has left asleep. Call it within milliseconds after ``submit(_:)``,
    /// but after the stored data has been sent: waking a thread takes as long as storing an append, and the thread competes
    /// with the caller for the spool.
    package func wakeWriter() { _ = writes.put(.spooled) }

    /// Submits a request and returns at once. One reply follows.
    package func submit(_ request: ReadRequest) {
        let isTaken = spool?.holdsRead() == true ? writes.put(.read(request)) : reads.put(.request(request))
        if !isTaken { refuse(request.ticket) }
    }

    /// Returns the replies that came since the last call, perhaps none. Reads are answered in order. Writes are
    /// answered in order too, except trims and small appends.
    package func takeReplies() -> [LogReply] { replyBox.drain() }

    /// Checks whether the log's files still have their names, and restores the names if not. Call this when something
    /// in the log's folder was deleted, moved or replaced. The log also checks once a second while it is in use.
    /// Returns at once. If a file was missing, ``Answer/filesRestored(_:)`` or ``Answer/filesLost(_:)`` follows.
    package func checkFiles() { _ = writes.put(.checkFiles) }

    /// Answers all submitted requests (a running trim stops part-way), brings the WAL into the file, and ends the
    /// threads. Blocks until then. Replies can still be taken.
    package func close() {
        guard let threads = threads.withLock({ $0.take() }) else { return }
        threads.finish()
    }

    private func refuse(_ ticket: UInt64) {
        replyBox.add([LogReply(ticket: ticket, answer: .failed(.closed))])
    }

    /// For tests: the writer's thread does nothing while `body` runs.
    func holdWriter(_ body: () -> Void) {
        let (isHeld, isOver) = (Handoff<Void>(), Handoff<Void>())
        guard writes.put(.hold(isHeld, until: isOver)) else { return }
        isHeld.wait()
        body()
        isOver.give(())
    }

    /// For tests: sets how long the caller's thread can wait for the page cache, regardless of how fast the machine is.
    /// Zero leaves every append to the writer's thread.
    func limitWaiting(to most: Duration) { spool?.limitWaiting(to: most) }

    /// For tests: nil without a spool.
    var hasUnsyncedSpool: Bool? { spool.map { $0.unsyncedSince != nil } }

    /// For tests: simulates a disk with room for `pages` more pages. Nil removes the limit.
    func limitGrowth(pages: Int64?) {
        spool?.setDiskFull(pages != nil)
        change { $0.limitGrowth(pages: pages) }
    }

    /// For tests: sets how many bytes of large runs the tables take at once. Zero stores them all in the file for floods.
    func limitTables(bytes: Int) { change { $0.limitTables(bytes: bytes) } }

    private func change(_ change: @escaping @Sendable (WriteConnection) -> Void) {
        let isDone = Handoff<Void>()
        if writes.put(.change(change, isDone)) { isDone.wait() }
    }
}
