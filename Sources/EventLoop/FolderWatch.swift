import CShims
import Glibc

/// Tells when a name goes from a folder, or the folder itself: inotify(7). Costs nothing while nothing does.
@LoopActor public final class FolderWatch: PollHandler {
    private let descriptor: Descriptor
    private var watch: Watch?
    private let lost: @LoopActor () -> Void

    /// - Parameter lost: called for names moved away too, and once for several that went together.
    public init(_ folder: String, lost: @escaping @LoopActor () -> Void) throws(SystemError) {
        let raw = cshims_watch_losses(folder)
        guard raw >= 0 else { throw SystemError("inotify \(folder)") }
        descriptor = Descriptor(owning: raw)
        self.lost = lost
        watch = try EventLoop.main.watch(raw, .readable, self)
    }

    public func pollReady(_ watch: Watch, _ readiness: Readiness) {
        var events = [UInt8](repeating: 0, count: 4096)
        while read(descriptor.raw, &events, events.count) > 0 {}
        lost()
    }

    public func close() {
        watch?.cancel()
        watch = nil
    }
}
