import Posix
import SessionRecords
import SessionStore

extension Writer {
    /// The state needed to look after the files, apart from the store.
    struct FileCare {
        let file: LogFile
        let durability: Durability
        let lock: LogLock
        let lines: LinesFile
        let reads: Inbox<ReaderThread.Job>
        var opened: OpenedFiles
        /// The state that a closed store leaves to the next store.
        var leftovers: WriteConnection.Leftovers?
        /// The reason why the files cannot be restored.
        var failure: LogError?
        var nextCheck: Instant = .now

        init(
            _ file: LogFile, _ durability: Durability, _ lock: LogLock, _ lines: LinesFile, spool: FileIdentity?,
            reads: Inbox<ReaderThread.Job>
        ) {
            self.file = file
            self.durability = durability
            self.lock = lock
            self.lines = lines
            self.reads = reads
            opened = OpenedFiles(file, lock: lock, lines: lines.identity, spool: spool)
        }
    }

    /// The check makes about five calls of stat(2), once a second while there is work, and on request.
    static let fileCheckInterval = Duration.seconds(1)

    /// Restores files that have lost their names. Data that was answered as stored is still in the open descriptors,
    /// and would be lost when they are closed.
    func checkFiles(isAsked: Bool) {
        guard isAsked || care.nextCheck <= .now else { return }
        care.nextCheck = .now + Self.fileCheckInterval
        let lost = care.opened.lost
        // Lost files can also come back by themselves, such as those on a mount.
        guard !lost.isEmpty || store == nil || care.failure != nil else { return }
        do throws(LogError) {
            try putBack(lost)
            care.failure = nil
            replyBox.add([LogReply(ticket: 0, answer: .filesRestored(lost.map { care.file.path(of: $0) }))])
        } catch {
            let failure = LogError.filesLost(path: care.file.path, reason: error.description)
            if care.failure == nil { replyBox.add([LogReply(ticket: 0, answer: .filesLost(failure))]) }
            care.failure = failure
            care.nextCheck = .now + Self.fileCheckInterval
        }
    }

    private func putBack(_ lost: [OpenedFiles.Part]) throws(LogError) {
        let (closed, reopen) = (Handoff<Void>(), Handoff<LogError?>())
        if care.reads.put(.closeFile(closed: closed, reopen: reopen)) { closed.wait() }
        do throws(LogError) {
            try putBackWithoutReader(lost)
        } catch {
            reopen.give(.filesLost(path: care.file.path, reason: error.description))
            throw error
        }
        reopen.give(nil)
    }

    private func putBackWithoutReader(_ lost: [OpenedFiles.Part]) throws(LogError) {
        try LogRestoration.makeFolder(of: care.file)
        if store != nil { try spool?.pause() }
        try LogRestoration.putAside(lost, of: care.file)
        if lost.contains(.lines) {
            try care.lines.restore()
            LogRestoration.syncFolder(of: care.file)
            care.opened.restored(.lines, as: care.lines.identity)
        }
        if lost.contains(.lock) {
            try care.lock.replaceFile(path: care.file.lockPath)
            care.opened.restored(.lock, as: care.lock.file)
        }
        if store == nil || lost.contains(where: { $0 == .database || $0 == .wal || $0 == .sharedMemory }) {
            try reopenStore(lost)
        }
        try spool?.resume(withNewFile: lost.contains(.spool))
        care.opened = OpenedFiles(
            care.file, lock: care.lock, lines: care.lines.identity, spool: spool?.fileIdentity)
    }

    private func reopenStore(_ lost: [OpenedFiles.Part]) throws(LogError) {
        if lost.contains(.database) { try replaceDatabase() } else { try store?.checkpointWhole() }
        closeStore()
        let next = try WriteConnection(file: care.file, durability: care.durability, continuing: care.leftovers)
        try next.settle()
        use(next)
        syncer?.walWasReplaced()
    }

    private func replaceDatabase() throws(LogError) {
        let copy = try copyStore()
        LogRestoration.removeSideFiles(of: care.file)
        closeStore()
        care.lock.replaceDatabase(copy)
        care.opened.restored(.database, as: care.lock.database)
    }

    private func copyStore() throws(LogError) -> LockedDatabase {
        guard let store else { throw .filesLost(path: care.file.path, reason: "it was lost again meanwhile") }
        return try LogRestoration.copy(store, to: care.file)
    }

    /// Closes the store. No other object refers to it, so its connection is closed when this returns.
    private func closeStore() {
        guard let leftovers = store?.leftovers else { return }
        care.leftovers = leftovers
        use(nil)
    }
}
