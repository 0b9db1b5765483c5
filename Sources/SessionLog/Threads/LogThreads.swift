/// The threads of an open log, and its lock. Each thread opens its own connection, so no connection ever changes
/// threads.
struct LogThreads: ~Copyable, Sendable {
    private let lock: FileLock
    private let writer: WorkerThread
    private let reader: WorkerThread
    private let syncerThread: SyncerThread?
    private let writes: Inbox<Writer.Job>
    private let reads: Inbox<ReadRequest>

    /// Returns when the file is open for writing and reading.
    init(
        file: LogFile, durability: Durability, writes: Inbox<Writer.Job>, reads: Inbox<ReadRequest>, replyBox: ReplyBox
    ) throws(LogError) {
        let lock = try FileLock(path: file.lockPath)
        try file.create()
        let syncer = durability == .normal ? WalSyncer(path: file.walPath) : nil
        let syncerThread = try syncer.map { (syncer) throws(LogError) in try SyncerThread(syncer, replyBox: replyBox) }
        let writer = try Self.start(name: "log-writer") { (isOpen) throws(LogError) in
            let store = try WriteConnection(file: file, durability: durability, now: WallClock.now)
            isOpen()
            Writer(store: store, replyBox: replyBox, syncer: syncer).run(writes)
        }
        let reader: WorkerThread
        do throws(LogError) {
            reader = try Self.startReader(file, inbox: reads, replyBox: replyBox)
        } catch {
            writes.close()
            throw error
        }
        self.lock = lock
        self.writer = writer
        self.reader = reader
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

    private static func startReader(
        _ file: LogFile, inbox: Inbox<ReadRequest>, replyBox: ReplyBox
    ) throws(LogError) -> WorkerThread {
        try start(name: "log-reader") { (isOpen) throws(LogError) in
            let reader = try Reader(file: file)
            isOpen()
            reader.run(inbox, replyBox: replyBox)
        }
    }

    /// Starts a thread and waits until its `body` has opened what it needs, or could not.
    private static func start(
        name: String, _ body: @escaping @Sendable (_ isOpen: () -> Void) throws(LogError) -> Void
    ) throws(LogError) -> WorkerThread {
        let opening = Handoff<LogError?>()
        let thread = try WorkerThread(name: name) {
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
