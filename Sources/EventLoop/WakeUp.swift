import CShims
import Glibc
import Synchronization

/// Lets another thread call the loop: any number of `signal()`s before the loop gets round to it are one call. A thread
/// that has no loop may wait for the descriptor itself.
public final class WakeUp: Sendable {
    private let event: Int32
    private let isSignalled = Atomic<Bool>(false)

    public init() throws(SystemError) {
        event = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard event >= 0 else { throw SystemError("eventfd") }
    }

    deinit { close(event) }

    /// For poll(2): readable from a signal to the next ``clear()``.
    public var fd: Int32 { event }

    /// From any thread.
    public func signal() {
        guard !isSignalled.exchange(true, ordering: .acquiringAndReleasing) else { return }
        var one: UInt64 = 1
        write(event, &one, 8)
    }

    /// Calls `action` on the loop after each signal, for as long as the returned watcher is kept.
    @LoopActor public func listen(_ action: @escaping @LoopActor () -> Void) throws(SystemError) -> WakeUpListener {
        let listener = WakeUpListener(self, action)
        listener.watch = try EventLoop.main.watch(event, .readable, listener)
        return listener
    }

    /// Before the caller looks at what was left for it, so that a signal given meanwhile counts again.
    public func clear() {
        var count: UInt64 = 0
        read(event, &count, 8)
        isSignalled.store(false, ordering: .sequentiallyConsistent)
    }
}

@LoopActor public final class WakeUpListener: PollHandler {
    private let wakeUp: WakeUp
    private let action: @LoopActor () -> Void
    fileprivate var watch: Watch?

    fileprivate init(_ wakeUp: WakeUp, _ action: @escaping @LoopActor () -> Void) {
        self.wakeUp = wakeUp
        self.action = action
    }

    public func pollReady(_ watch: Watch, _ readiness: Readiness) {
        wakeUp.clear()
        action()
    }

    public func cancel() { watch?.cancel() }
}
