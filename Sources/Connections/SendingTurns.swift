import EventLoop

/// Divides the loop's time between sending and all other work. In one turn of the loop, streams are written for a
/// bounded time. Outboxes that have more to send continue in the next turn, after the output that agents have written
/// in the meantime.
///
/// A hundred readers that catch up at once therefore make a turn no longer than a few readers do. Time is estimated,
/// not measured, because reading a clock would cost as much as a small write.
@LoopActor package final class SendingTurns {
    /// Half a millisecond for streams that are at their end, and as much for outboxes that have waited. Neither group
    /// can take the other's share.
    private static let shareNanoseconds = 500_000

    private var turn = 0
    private var spent = 0
    private var waiting = FIFOQueue<Outbox>()
    private var isScheduled = false
    /// True while a round with more than one outbox runs.
    private var isInRound = false

    package init() {}

    /// True if this turn of the loop has time left for sending.
    var hasTime: Bool {
        if turn != EventLoop.main.turnCount {
            turn = EventLoop.main.turnCount
            spent = 0
        }
        return spent < Self.shareNanoseconds
    }

    /// Lets the next outbox that asks continue, regardless of the time that was spent.
    func grant() {
        if !hasTime { spent = Self.shareNanoseconds - 1 }
    }

    /// Counts a write to a socket: 2 µs, and 1 µs for each 2 KB.
    func wrote(_ count: Int) { spent += 2_000 + count / 2 }

    /// Counts the compression of `count` bytes: 5 µs for each 1 KB.
    func compressed(_ count: Int) { spent += 5 * count }

    /// Counts the scan of `count` bytes: 1 µs for each 1 KB.
    package func lookedThrough(_ count: Int) { spent += count }

    /// True if other outboxes wait for their turn. An outbox that has sent a piece then lets the others go first.
    /// Readers at the same position thus get a piece one after the other, while it is in the processor's cache, and
    /// stay together.
    var othersWait: Bool { !waiting.isEmpty || isInRound }

    /// Calls `outbox.goOn()` in the next turn of the loop.
    func wait(_ outbox: Outbox) {
        guard !outbox.isWaitingForTurn else { return }
        outbox.isWaitingForTurn = true
        waiting.append(outbox)
        schedule()
    }

    private func schedule() {
        guard !isScheduled else { return }
        isScheduled = true
        EventLoop.main.schedule(after: .zero) { [weak self] in self?.run() }
    }

    /// Gives the waiting outboxes their turns. Each outbox sends its share, and waits again at the end of the queue if
    /// it has more.
    private func run() {
        isScheduled = false
        guard !waiting.isEmpty else { return }
        turn = EventLoop.main.turnCount
        spent = 0
        // Outboxes that start to wait again in the meantime do not belong to this round.
        let count = waiting.count
        isInRound = count > 1
        defer { isInRound = false }
        for _ in 0..<count {
            guard hasTime, let outbox = waiting.popFirst() else { break }
            outbox.isWaitingForTurn = false
            outbox.goOn()
        }
        if !waiting.isEmpty { schedule() }
    }
}
