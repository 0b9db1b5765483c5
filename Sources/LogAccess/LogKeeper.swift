import Diagnostics
import EventLoop
import Glibc
import Posix
import SessionRecords

/// Makes the log check its files at once when a name disappears from their folder, even while the log is not used.
@LoopActor package final class LogKeeper {
    private let home: Home
    private let log: LogClient
    private let services: LoopServices
    private var watch: FolderWatch?
    private var retry: Timer?
    private var isClosed = false

    /// The delay before the files are checked once more after an event. A process that is still deleting can remove
    /// files, or the folder, while they are being restored, and the last event can come before the last removal.
    private static let pause = Duration.seconds(1)

    package init(_ home: Home, _ log: LogClient, services: LoopServices) {
        self.home = home
        self.log = log
        self.services = services
        watchFolder()
    }

    /// Watches the log's folder. Without a watch, the log checks its files by itself while it is used.
    private func watchFolder() {
        watch?.close()
        watch = orLog("watching the log's folder") {
            try FolderWatch(home.state, poller: services.poller) { [weak self] in self?.look() }
        }
    }

    private func look() {
        guard !isClosed else { return }
        if access(home.state, F_OK) != 0 { orLog("restoring the log's folder") { try home.prepare() } }
        // The folder can be a different one by now. Watch it before the log checks its files, so that no change in
        // between is missed.
        watchFolder()
        log.checkFiles()
        checkAgainLater()
    }

    /// Without a watch, for example on a full disk, attempts continue. With one, the next check is the last.
    private func checkAgainLater() {
        guard retry == nil else { return }
        retry = services.timers.schedule(after: Self.pause) { [weak self] in
            guard let self else { return }
            self.retry = nil
            if self.watch == nil { self.look() } else { self.log.checkFiles() }
        }
    }

    package func close() {
        isClosed = true
        watch?.close()
        retry?.cancel()
    }
}
