/// The threads of an open log, and its lock. Each thread opens its own connection, so no connection ever changes
/// threads.
struct LogThreads: ~Copyable, Sendable {
    private let lock: FileLock
    private let writer: WorkerThread
    private let reader: WorkerThread
    private let syncerThread: SyncerThread?
    private let writes: Inbox<Writer.Job>
    private let reads: Inbox<ReadRequest>

    /// Returns when the file is open for writing.
    init(
        file: LogFile, durability: Durability, writes: Inbox<Writer.Job>, reads: Inbox<ReadRequest>, replyBox: ReplyBox
    ) throws(LogError) {
        let lock = try FileLock(path: file.lockPath)
        try file.create()
        let syncer = durability == .normal ? WalSyncer(path: file.walPath) : nil
        let syncerThread = try syncer.map { (syncer) throws(LogError) in try SyncerThread(syncer, replyBox: replyBox) }
        let writer = try Self.startWriter { (isOpen) throws(LogError) in
            let store = try WriteConnection(file: file, durability: durability, now: WallClock.now)
            isOpen()
            Writer(store: store, replyBox: replyBox, syncer: syncer).run(writes)
        }
        do throws(LogError) {
            reader = try WorkerThread(name: "log-reader") { Reader.run(file, reads, replyBox: replyBox) }
        } catch {
            writes.close()
            throw error
        }
        self.lock = lock
        self.writer = writer
        self.syncerThread = syncerThread
        self.writes = writes
        self.reads = reads
    }

    /// Lets the threads finish what was submitted. The reader first: the last connection to close must be the writer's,
    /// which may remove the WAL.
    consuming func finish() {
        reads.close()
        reader.join()
        writes.close()
        writer.join()
        syncerThread?.finish()
    }

    /// Waits until `body` has opened what it needs, or could not.
    private static func startWriter(
        _ body: @escaping @Sendable (_ isOpen: () -> Void) throws(LogError) -> Void
    ) throws(LogError) -> WorkerThread {
        let opening = Handoff<LogError?>()
        let thread = try WorkerThread(name: "log-writer") {
            do throws(LogError) {
                try body { opening.give(nil) }
            } catch {
                opening.give(error)
            }
        }
        if let error = opening.wait() {
            thread.join()
            throw error
        }
        return thread
    }
}
