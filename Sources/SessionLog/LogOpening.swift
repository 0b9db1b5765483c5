import SessionRecords
import SessionStore

/// A log that is being opened on its own thread, which takes a few milliseconds. The caller can do other work meanwhile.
package final class LogOpening {
    let writes = Inbox<Writer.Job>()
    let reads = Inbox<ReaderThread.Job>()
    let replyBox: ReplyBox
    private let file: LogFile
    private var writer: LogThreads.OpeningWriter?

    /// Takes the log's lock, and begins to open the log, or to create it. A log that is too damaged to be opened is
    /// renamed to `path.damaged`, and its readable content is copied to a new log (``SessionLog/damaged``). Lives that a
    /// killed process left live become ended (``SessionRecord/crashedExit``).
    ///
    /// The folder of `path` must exist, on a local disk. The files (`path`, `-wal`, `-shm`, `-lines`, `-spool`, `.lock`)
    /// have mode 0600. Appends that a killed process left in `-spool` are stored first.
    ///
    /// `wake` is called on the log's threads, or on the caller's thread for a request after ``SessionLog/close()``. It is
    /// called at most once until the next ``SessionLog/takeReplies()``. It must not block: write to an eventfd.
    ///
    /// - Parameter marksInterruptions: The timelines of sessions that the process before has left live get the end of their
    ///   agents (``LogItem/interruption(ts:)``). False if that process has handed its sessions over to this one.
    package init(
        path: String, durability: Durability, marksInterruptions: Bool = false, wake: @escaping @Sendable () -> Void
    ) throws(LogError) {
        replyBox = ReplyBox(wake: wake)
        file = LogFile(path: path)
        writer = try LogThreads.OpeningWriter(
            file, durability, marksInterruptions, writes: writes, reads: reads, replyBox: replyBox)
    }

    /// If the log was not taken, waits until it is open, and closes it.
    deinit {
        if writer != nil { LogThreads.endWriter(writes, reads) }
    }

    /// Blocks until the log is open. Can be called once.
    func threads() throws(LogError) -> LogThreads {
        guard let writer = writer.take() else { throw .closed }
        return try LogThreads(file: file, writer, writes: writes, reads: reads, replyBox: replyBox)
    }
}
