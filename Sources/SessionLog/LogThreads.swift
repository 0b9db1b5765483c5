import Glibc
import Posix
import SessionRecords
import SessionStore

/// The threads of an open log, and the log's lock. Each thread opens its own connection.
struct LogThreads: ~Copyable, Sendable {
    /// Declared first, so that it is released last: after the threads have ended and SQLite has closed the file.
    private let lock: LogLock
    private let writer: WorkerThread
    private let reader: WorkerThread
    private let syncerThread: SyncerThread?
    private let writes: Inbox<Writer.Job>
    private let reads: Inbox<ReaderThread.Job>
    /// Only under ``Durability/normal``, because each append waits for the disk otherwise.
    let spool: Spool?
    /// The damaged file that was replaced, if the log's file could not be opened.
    let damaged: DamagedLog?

    /// Not a `Result`: the first use of one searches all conformances of the program.
    fileprivate enum OpeningResult: Sendable {
        case opened(Opened)
        case failed(LogError)

        func get() throws(LogError) -> Opened {
            switch self {
            case .opened(let opened): return opened
            case .failed(let error): throw error
            }
        }
    }

    fileprivate struct Opened: Sendable {
        let lines: LinesFile
        let spool: Spool?
        let damaged: DamagedLog?
    }

    /// The writer's thread while it opens the file. It runs until `writes` is closed, and releasing this value waits for
    /// that.
    struct OpeningWriter: ~Copyable, Sendable {
        fileprivate let lock: LogLock
        fileprivate let thread: WorkerThread
        fileprivate let syncerThread: SyncerThread?
        fileprivate let opening: Handoff<OpeningResult>

        init(
            _ file: LogFile, _ durability: Durability, _ marksInterruptions: Bool, writes: Inbox<Writer.Job>,
            reads: Inbox<ReaderThread.Job>, replyBox: ReplyBox
        ) throws(LogError) {
            let lock = try LogLock(file)
            let opening = Handoff<OpeningResult>()
            let syncer =
                durability == .normal ? try WalSyncer(path: file.walPath) { _ = writes.put(.syncHasFailed) } : nil
            let syncerThread = try syncer.map { (syncer) throws(LogError) in
                try SyncerThread(syncer, replyBox: replyBox)
            }
            thread = try LogThreads.startWriter(opening) { (isOpen) throws(LogError) in
                let (writer, opened) = try LogThreads.openWriter(
                    file, durability, marksInterruptions, lock, replyBox, syncer, reads)
                isOpen(opened)
                writer.run(writes)
            }
            self.lock = lock
            self.syncerThread = syncerThread
            self.opening = opening
        }
    }

    /// Returns when the file is open for writing.
    init(
        file: LogFile, _ writer: consuming OpeningWriter, writes: Inbox<Writer.Job>, reads: Inbox<ReaderThread.Job>,
        replyBox: ReplyBox
    ) throws(LogError) {
        let (lock, opening) = (writer.lock, writer.opening)
        let thread = writer.thread
        let syncerThread = writer.syncerThread
        // If this throws, releasing the thread waits for its end.
        let opened = try opening.wait().get()
        do throws(LogError) {
            reader = try Self.startReader(file, opened, lock, reads, replyBox)
        } catch {
            Self.endWriter(writes, reads)
            throw error
        }
        spool = opened.spool
        damaged = opened.damaged
        self.lock = lock
        self.writer = thread
        self.syncerThread = syncerThread
        self.writes = writes
        self.reads = reads
    }

    /// Ends the writer's thread while there is no reader's thread, for which it could wait.
    static func endWriter(_ writes: Inbox<Writer.Job>, _ reads: Inbox<ReaderThread.Job>) {
        reads.close()
        for case .closeFile(let closed, _) in reads.drainNow() ?? [] { closed.give(()) }
        writes.close()
    }

    /// Lets the threads finish all submitted requests. The reader ends first, because the last connection to close must
    /// be the writer's: only the writer's connection can remove the WAL.
    consuming func finish() {
        spool?.close()
        // Reads can wait for the writer.
        let flushed = Handoff<Void>()
        if writes.put(.flush(flushed)) { flushed.wait() }
        reads.close()
        reader.join()
        writes.close()
        writer.join()
        syncerThread?.finish()
    }

    /// Only the writer holds the connection, because the writer can have to close it: see
    /// ``Writer/checkFiles(isAsked:)``.
    private static func openWriter(
        _ file: LogFile, _ durability: Durability, _ marksInterruptions: Bool, _ lock: LogLock, _ replyBox: ReplyBox,
        _ syncer: WalSyncer?, _ reads: Inbox<ReaderThread.Job>
    ) throws(LogError) -> (Writer, Opened) {
        let (store, generation, damaged) = try open(file, durability, marksInterruptions, lock)
        let spool =
            durability == .normal
            ? try Spool(path: file.spoolPath, logId: store.logId, generation: generation, syncer: syncer) : nil
        let transfer = spool.map {
            SpoolTransfer(spool: $0, store: store, replyBox: replyBox, syncer: syncer, reads: reads)
        }
        syncer?.watch(store.outside.file, store.wal.failure)
        let care = Writer.FileCare(file, durability, lock, store.outside.file, spool: spool?.fileIdentity, reads: reads)
        let writer = Writer(store: store, care: care, spool: transfer, replyBox: replyBox, syncer: syncer)
        return (writer, Opened(lines: store.outside.file, spool: spool, damaged: damaged))
    }

    /// Opens the file, and replaces it if it is damaged. The damaged content stays available under another name, and
    /// the bridge continues.
    private static func open(
        _ file: LogFile, _ durability: Durability, _ marksInterruptions: Bool, _ lock: LogLock
    ) throws(LogError) -> (WriteConnection, generation: UInt64, DamagedLog?) {
        do throws(LogError) {
            let (store, generation) = try openStore(file, durability, marksInterruptions, descriptor: lock.databaseFile)
            return (store, generation, nil)
        } catch {
            guard error.isDamage else { throw error }
        }
        let damaged = try DamagedLog.replace(file, lock)
        let (store, generation) = try openStore(file, durability, marksInterruptions)
        return (store, generation, damaged)
    }

    /// Opens the file, and stores the appends that a killed process left in the spool.
    ///
    /// - Returns: The connection, and the spool's next generation. It is higher than that of any record in the file.
    static func openStore(
        _ file: LogFile, _ durability: Durability, _ marksInterruptions: Bool = false, descriptor: Int32? = nil
    ) throws(LogError) -> (WriteConnection, generation: UInt64) {
        let store = try WriteConnection(file: file, durability: durability, descriptor: descriptor)
        let spooled = store.isNew ? [] : try SpoolFile.records(path: file.spoolPath, logId: store.logId)
        try store.recover(
            spooled.map(\.append), marksInterruptions: marksInterruptions, now: wallClockMilliseconds())
        if access(file.renewalPath, F_OK) == 0 {
            try store.renewId()
            unlink(file.renewalPath)
        }
        return (store, (spooled.map(\.generation).max() ?? 0) &+ 1)
    }

    private static func startReader(
        _ file: LogFile, _ opened: Opened, _ lock: LogLock, _ reads: Inbox<ReaderThread.Job>, _ replyBox: ReplyBox
    ) throws(LogError) -> WorkerThread {
        try WorkerThread(log: "log-reader") {
            ReaderThread.run(file, opened.lines, lock, reads, replyBox: replyBox)
        }
    }

    private static func startWriter(
        _ opening: Handoff<OpeningResult>,
        _ body: @escaping @Sendable (_ isOpen: (Opened) -> Void) throws(LogError) -> Void
    ) throws(LogError) -> WorkerThread {
        try WorkerThread(log: "log-writer") {
            do throws(LogError) {
                try body { opening.give(.opened($0)) }
            } catch {
                opening.give(.failed(error))
            }
        }
    }
}
