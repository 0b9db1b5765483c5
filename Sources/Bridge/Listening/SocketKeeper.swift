import Diagnostics
import EventLoop
import Glibc
import Posix

/// Keeps a bridge reachable, and the only one on its home. Creates its socket or its lock again if one of them is
/// deleted, by hand or by a cleaner of temporary folders.
@LoopActor final class SocketKeeper {
    private let paths: [String]
    private let folder: String
    private let services: LoopServices
    private let restore: @LoopActor () throws -> Void
    private var watch: FolderWatch?
    private var retry: Timer?
    private var isClosed = false

    /// The pause before the next check. The deletion can still be in progress, or the disk can be full.
    private static let pause = Duration.seconds(1)

    /// - Parameter restore: Creates the missing files again, and also their folder if it is missing.
    init(_ home: Home, services: LoopServices, restore: @escaping @LoopActor () throws -> Void) {
        paths = [home.socket, home.daemonLock]
        folder = home.runtime
        self.services = services
        self.restore = restore
        watchFolder()
        // A file that was handed over can have been deleted while no process watched the folder.
        look()
    }

    /// If the system cannot provide a watch, all other functions of the bridge still work.
    private func watchFolder() {
        watch?.close()
        watch = orLog("watching the runtime folder") {
            try FolderWatch(folder, poller: services.poller) { [weak self] in self?.look() }
        }
    }

    private func look() {
        guard !isClosed, retry == nil, paths.contains(where: { access($0, F_OK) != 0 }) else { return }
        // The folder can be a new one after it was restored.
        if orLog("restoring the socket or the lock", restore) != nil { watchFolder() }
        retry = services.timers.schedule(after: Self.pause) { [weak self] in
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
