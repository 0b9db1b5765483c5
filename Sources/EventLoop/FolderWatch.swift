import CShims
import Glibc
import Posix

/// Reports when a name disappears from a folder, or the folder itself disappears: inotify(7). It costs nothing between
/// events.
@LoopActor package final class FolderWatch: PollHandler {
    private let descriptor: Descriptor
    private var watch: Watch?
    private let lost: @LoopActor () -> Void

    /// - Parameter lost: Also called for names that were moved away. Several names that disappear together cause one
    ///   call.
    package init(
        _ folder: String, poller: any Poller, lost: @escaping @LoopActor () -> Void
    ) throws(SystemError) {
        let raw = cshims_watch_losses(folder)
        guard raw >= 0 else { throw SystemError("inotify \(folder)") }
        descriptor = Descriptor(owning: raw)
        self.lost = lost
        watch = try poller.watch(raw, .readable, self)
    }

    package func pollReady(_ watch: Watch, _ readiness: Readiness) {
        var events = [UInt8](repeating: 0, count: 4096)
        while read(descriptor.raw, &events, events.count) > 0 {}
        lost()
    }

    package func close() {
        watch?.cancel()
        watch = nil
    }
}
