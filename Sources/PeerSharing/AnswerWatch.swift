import EventLoop

/// Notices that a peer no longer answers requests, although its connection is alive: it answers pings, but its log or its
/// disk hangs. Whatever waits for the peer then fails. The time begins again with each answer, because the peer answers one
/// request after the other.
@LoopActor final class AnswerWatch {
    /// 10 minutes, in which a line of 2 Mbit/s carries the longest answer (`PeerConnection`).
    static let patience = Duration.seconds(600)

    private let timers: any TimerScheduler
    private var unansweredCount = 0
    private var timer: Timer?
    /// Called when no request was answered for that long. Set once, before the first request.
    var lapsed: @LoopActor () -> Void = {}

    init(_ timers: any TimerScheduler) { self.timers = timers }

    func sent() {
        unansweredCount += 1
        if timer == nil { schedule() }
    }

    /// Call once for each request, also if its answer is that the connection was lost.
    func answered() {
        unansweredCount -= 1
        timer?.cancel()
        timer = nil
        if unansweredCount > 0 { schedule() }
    }

    private func schedule() {
        timer = timers.schedule(after: Self.patience) { [weak self] in
            guard let self else { return }
            timer = nil
            lapsed()
        }
    }
}
