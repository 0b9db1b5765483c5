import EventLoop
import Glibc
import Posix
import SessionLog

/// Makes the log check its files at once when a name disappears from their folder, even while the log is not used.
@LoopActor package final class LogKeeper {
    private let home: Home
    private let log: LogClient
    private var watch: FolderWatch?
    private var retry: Timer?
    private var isClosed = false

    /// The delay before the next attempt if the folder could not be created again. The cause can be a process that is
    /// still deleting files, or a full disk.
    private static let pause = Duration.seconds(1)

    package init(_ home: Home, _ log: LogClient) {
        self.home = home
        self.log = log
        watchFolder()
    }

    /// Watches the log's folder. Without a watch, the log checks its files by itself while it is used.
    private func watchFolder() {
        watch?.close()
        watch = try? FolderWatch(home.state) { [weak self] in self?.look() }
    }

    private func look() {
        guard !isClosed else { return }
        if access(home.state, F_OK) != 0 { try? home.prepare() }
        // The folder can be a different one by now. Watch it before the log checks its files, so that no change in
        // between is missed.
        watchFolder()
        log.checkFiles()
        guard watch == nil, retry == nil else { return }
        retry = EventLoop.main.schedule(after: Self.pause) { [weak self] in
            self?.retry = nil
            self?.look()
        }
    }

    package func close() {
        isClosed = true
        watch?.close()
        retry?.cancel()
    }
}
