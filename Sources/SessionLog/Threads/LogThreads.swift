/// The threads of an open log, and its lock. Each thread opens its own connection.
struct LogThreads: ~Copyable, Sendable {
    private let lock: FileLock
    private let writer: WorkerThread
    private let reader: WorkerThread
    private let syncerThread: SyncerThread?
    private let writes: Inbox<Writer.Job>
    private let reads: Inbox<ReadRequest>
    /// Under ``Durability/normal``: otherwise each append waits for the disk.
    let spool: Spool?
    /// What was found in the file's place, if that was not to be opened.
    let damaged: DamagedLog?

    private struct Opened: Sendable {
        let spool: Spool?
        let damaged: DamagedLog?
    }

    /// Returns when the file is open for writing.
    init(
        file: LogFile, durability: Durability, writes: Inbox<Writer.Job>, reads: Inbox<ReadRequest>, replyBox: ReplyBox
    ) throws(LogError) {
        let lock = try FileLock(path: file.lockPath)
        try file.create()
        let syncer = durability == .normal ? WalSyncer(path: file.walPath) : nil
        let syncerThread = try syncer.map { (syncer) throws(LogError) in try SyncerThread(syncer, replyBox: replyBox) }
        let opening = Handoff<Result<Opened, LogError>>()
        let writer = try Self.startWriter(opening) { (isOpen) throws(LogError) in
            let (store, damaged) = try Self.open(file, durability)
            let spool = durability == .normal ? try Spool(of: store, path: file.spoolPath) : nil
            isOpen(Opened(spool: spool, damaged: damaged))
            let transfer = spool.map { SpoolTransfer(spool: $0, store: store, replyBox: replyBox, reads: reads) }
            Writer(store: store, spool: transfer, replyBox: replyBox, syncer: syncer).run(writes)
        }
        // Should it fail, letting go of the thread waits for its end.
        let opened = try opening.wait().get()
        do throws(LogError) {
            reader = try WorkerThread(name: "log-reader") { Reader.run(file, reads, replyBox: replyBox) }
        } catch {
            writes.close()
            throw error
        }
        spool = opened.spool
        damaged = opened.damaged
        self.lock = lock
        self.writer = writer
        self.syncerThread = syncerThread
        self.writes = writes
        self.reads = reads
    }

    /// Lets the threads finish what was submitted. The reader first: the last connection to close must be the writer's,
    /// which may remove the WAL.
    consuming func finish() {
        spool?.close()
        // Reads may wait for the writer.
        let flushed = Handoff<Void>()
        if writes.put(.flush(flushed)) { flushed.wait() }
        reads.close()
        reader.join()
        writes.close()
        writer.join()
        syncerThread?.finish()
    }

    /// A file that is damaged is replaced: what was in it is lost to nobody, and the bridge goes on.
    private static func open(
        _ file: LogFile, _ durability: Durability
    ) throws(LogError) -> (WriteConnection, DamagedLog?) {
        do throws(LogError) {
            return (try WriteConnection(file: file, durability: durability, now: WallClock.now), nil)
        } catch {
            guard error.isDamage else { throw error }
        }
        let damaged = try DamagedLog.replace(file)
        return (try WriteConnection(file: file, durability: durability, now: WallClock.now), damaged)
    }

    private static func startWriter(
        _ opening: Handoff<Result<Opened, LogError>>,
        _ body: @escaping @Sendable (_ isOpen: (Opened) -> Void) throws(LogError) -> Void
    ) throws(LogError) -> WorkerThread {
        try WorkerThread(name: "log-writer") {
            do throws(LogError) {
                try body { opening.give(.success($0)) }
            } catch {
                opening.give(.failure(error))
            }
        }
    }
}
