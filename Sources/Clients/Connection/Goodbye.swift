import EventLoop

/// Announces the bridge's stop to one client after the client has received all available data. A client that does not
/// read causes only a short delay.
@LoopActor final class Goodbye {
    private let timers: any TimerScheduler
    /// Returns whether the client has received all available data.
    private let isAllSent: @LoopActor () -> Bool
    private let announce: @LoopActor () -> Void
    /// A check whether all data was sent is scheduled for the loop's next turn.
    private var isCheckScheduled = false

    init(
        timers: any TimerScheduler, isAllSent: @escaping @LoopActor () -> Bool,
        announce: @escaping @LoopActor () -> Void
    ) {
        self.timers = timers
        self.isAllSent = isAllSent
        self.announce = announce
    }

    /// - Parameter patience: the longest time until the stop is announced.
    func begin(patience: Duration) {
        timers.schedule(after: patience) { [weak self] in self?.announce() }
        streamReachedEnd()
    }

    /// Call when a stream has sent all available data. The check runs in a later turn of the loop, because the writer is
    /// still sending.
    func streamReachedEnd() {
        guard !isCheckScheduled else { return }
        isCheckScheduled = true
        timers.soon { [weak self] in
            guard let self else { return }
            self.isCheckScheduled = false
            if self.isAllSent() { self.announce() }
        }
    }
}
