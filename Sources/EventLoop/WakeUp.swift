import CShims
import Glibc
import Posix
import Synchronization

/// Lets another thread call the loop. Several `signal()`s before the loop handles them cause one call. A thread without
/// a loop can wait for the descriptor itself.
package final class WakeUp: Sendable {
    private let event: Int32
    private let isSignalled = Atomic<Bool>(false)

    package init() throws(SystemError) {
        event = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard event >= 0 else { throw SystemError("eventfd") }
    }

    deinit { close(event) }

    /// The descriptor for poll(2). It is readable from a signal until the next ``clear()``.
    package var fd: Int32 { event }

    /// Can be called from any thread.
    package func signal() {
        guard !isSignalled.exchange(true, ordering: .acquiringAndReleasing) else { return }
        var one: UInt64 = 1
        write(event, &one, 8)
    }

    /// Calls `action` on the loop after each signal, for as long as the returned listener exists.
    @LoopActor package func listen(
        on poller: any Poller, _ action: @escaping @LoopActor () -> Void
    ) throws(SystemError) -> WakeUpListener {
        let listener = WakeUpListener(self, action)
        listener.watch = try poller.watch(event, .readable, listener)
        return listener
    }

    /// Call this before you read the work that was left for you, so that a signal during the read counts again.
    package func clear() {
        var count: UInt64 = 0
        read(event, &count, 8)
        isSignalled.store(false, ordering: .sequentiallyConsistent)
    }
}

@LoopActor package final class WakeUpListener: PollHandler {
    private let wakeUp: WakeUp
    private let action: @LoopActor () -> Void
    fileprivate var watch: Watch?

    fileprivate init(_ wakeUp: WakeUp, _ action: @escaping @LoopActor () -> Void) {
        self.wakeUp = wakeUp
        self.action = action
    }

    package var comesLater: Bool { true }

    package func pollReady(_ watch: Watch, _ readiness: Readiness) {
        wakeUp.clear()
        action()
    }

    package func cancel() { watch?.cancel() }
}
