import Posix
import SessionRecords

/// A syncer and its thread. The thread ends with this value.
struct SyncerThread: ~Copyable, Sendable {
    private let syncer: WalSyncer
    private let thread: WorkerThread

    init(_ syncer: WalSyncer, replyBox: ReplyBox) throws(LogError) {
        thread = try WorkerThread(log: "log-syncer") {
            syncer.run { replyBox.add([LogReply(ticket: 0, answer: .syncFailed($0))]) }
        }
        self.syncer = syncer
    }

    deinit { syncer.stop() }

    /// Stops the thread and waits for its end.
    consuming func finish() {}
}
