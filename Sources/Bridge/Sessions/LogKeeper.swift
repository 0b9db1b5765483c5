import EventLoop
import Glibc
import SessionLog

/// Has the log look after its files at once when a name goes from their folder, also while nobody uses the log.
@LoopActor final class LogKeeper {
    private let home: Home
    private let log: LogClient
    private var watch: FolderWatch?
    private var retry: Timer?
    private var isClosed = false

    /// The folder could not be made again: somebody may still be deleting, or the disk is full.
    private static let pause = Duration.seconds(1)

    init(_ home: Home, _ log: LogClient) {
        self.home = home
        self.log = log
        watchFolder()
    }

    /// Without a watch the log looks by itself while it is used.
    private func watchFolder() {
        watch?.close()
        watch = try? FolderWatch(home.state) { [weak self] in self?.look() }
    }

    private func look() {
        guard !isClosed else { return }
        if access(home.state, F_OK) != 0 { try? home.prepare() }
        // The folder may be another one by now. Before the log looks, so that nothing is missed between.
        watchFolder()
        log.checkFiles()
        guard watch == nil, retry == nil else { return }
        retry = EventLoop.main.schedule(after: Self.pause) { [weak self] in
            self?.retry = nil
            self?.look()
        }
    }

    func close() {
        isClosed = true
        watch?.close()
        retry?.cancel()
    }
}
