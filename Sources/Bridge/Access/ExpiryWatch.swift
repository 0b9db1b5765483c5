import EventLoop

/// Wakes up when the first of the identities that are connected ends. Sleeps where none of them does.
@LoopActor final class ExpiryWatch {
    private let ended: @LoopActor () -> Void
    private var timer: Timer?
    private var dueTs = Int64.max

    /// The loop's timers know no dates: a clock that is set meanwhile is noticed this soon.
    private static let longestSleepMilliseconds: Int64 = 60_000

    /// - Parameter ended: looks who has reached the end, and gives the ends of all the others anew.
    init(ended: @escaping @LoopActor () -> Void) { self.ended = ended }

    /// - Parameter expiresTs: milliseconds since 1970; nil never ends.
    func watch(_ expiresTs: Int64?) {
        guard let expiresTs, expiresTs < dueTs else { return }
        dueTs = expiresTs
        timer?.cancel()
        let rest = min(max(0, expiresTs - wallClockMilliseconds()), Self.longestSleepMilliseconds)
        timer = EventLoop.main.schedule(after: .milliseconds(rest)) { [weak self] in self?.wake() }
    }

    private func wake() {
        dueTs = .max
        timer = nil
        ended()
    }
}
