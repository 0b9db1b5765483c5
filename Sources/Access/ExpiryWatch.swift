import EventLoop

/// Wakes up when the first identity of a connected client expires. Sleeps if no identity expires.
@LoopActor package final class ExpiryWatch {
    private let services: LoopServices
    private let ended: @LoopActor () -> Void
    private var timer: Timer?
    private var dueTs = Int64.max

    /// The loop's timers do not follow the wall clock. A change of the clock is noticed within this time.
    private static let longestSleepMilliseconds: Int64 = 60_000

    /// - Parameter ended: checks which identities have expired, and calls `watch` again for all the others.
    package init(services: LoopServices = .main, ended: @escaping @LoopActor () -> Void) {
        self.services = services
        self.ended = ended
    }

    /// - Parameter expiresTs: milliseconds since 1970; nil if the identity never expires.
    package func watch(_ expiresTs: Int64?) {
        guard let expiresTs, expiresTs < dueTs else { return }
        dueTs = expiresTs
        timer?.cancel()
        let rest = min(max(0, expiresTs - services.time.dateMilliseconds), Self.longestSleepMilliseconds)
        timer = services.timers.schedule(after: .milliseconds(rest)) { [weak self] in self?.wake() }
    }

    private func wake() {
        dueTs = .max
        timer = nil
        ended()
    }
}
