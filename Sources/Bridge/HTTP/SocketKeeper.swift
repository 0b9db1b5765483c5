import EventLoop
import Glibc

/// Keeps a bridge reachable, and alone: where its socket or its lock is deleted, by a cleaner of temporary folders or by
/// hand, it is made again.
@LoopActor final class SocketKeeper {
    private let paths: [String]
    private let folder: String
    private let restore: @LoopActor () throws -> Void
    private var watch: FolderWatch?
    private var retry: Timer?
    private var isClosed = false

    /// How long to wait before looking again: somebody may still be deleting, or the disk is full.
    private static let pause = Duration.seconds(1)

    /// - Parameter restore: makes what is missing of them, and their folder where that has gone.
    init(_ home: Home, restore: @escaping @LoopActor () throws -> Void) {
        paths = [home.socket, home.daemonLock]
        folder = home.runtime
        self.restore = restore
        // Where the system has no watch to give, everything else still works.
        watch = try? FolderWatch(folder) { [weak self] in self?.look() }
        // One that was handed over may have lost its name while nobody watched.
        look()
    }

    private func look() {
        guard !isClosed, retry == nil, paths.contains(where: { access($0, F_OK) != 0 }) else { return }
        if (try? restore()) != nil {
            // The folder may be another one by now.
            watch?.close()
            watch = try? FolderWatch(folder) { [weak self] in self?.look() }
        }
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
