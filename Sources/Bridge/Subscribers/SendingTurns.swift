import EventLoop

/// Shares the loop between those who are sent to and everything else: in one turn of the loop streams are written for a
/// bounded time, and who is left over goes on in the next, behind what agents have written meanwhile.
///
/// So a hundred readers who catch up at once make a turn no longer than a few do. Time is reckoned, not measured: a
/// clock would cost as much as a small write.
@LoopActor final class SendingTurns {
    /// Half a millisecond for those who are at the end of their streams, and as much for those who have waited: neither
    /// keeps the other from its share.
    private static let shareNanoseconds = 500_000

    private var turn = 0
    private var spent = 0
    private var waiting = FIFOQueue<Outbox>()
    private var isScheduled = false
    /// More than one is given its turn just now.
    private var isInRound = false

    /// Whether there is time left in this turn of the loop.
    var hasTime: Bool {
        if turn != EventLoop.main.turnCount {
            turn = EventLoop.main.turnCount
            spent = 0
        }
        return spent < Self.shareNanoseconds
    }

    /// Lets the next to ask go on, whatever was spent.
    func grant() {
        if !hasTime { spent = Self.shareNanoseconds - 1 }
    }

    /// A write to a socket: 2 µs, and 1 µs for each 2 KB.
    func wrote(_ count: Int) { spent += 2_000 + count / 2 }

    /// So many bytes were compressed: 5 µs for each 1 KB.
    func compressed(_ count: Int) { spent += 5 * count }

    /// So many bytes were looked through: 1 µs for each 1 KB.
    func lookedThrough(_ count: Int) { spent += count }

    /// Others wait for their turn. Who has sent a piece then lets them go first: those who stand in one place are so sent
    /// a piece one after the other, while it is in the processor's cache, and stay together.
    var othersWait: Bool { !waiting.isEmpty || isInRound }

    /// Calls `outbox.goOn()` in the next turn.
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

    /// Those who wait take turns: each sends a share of its own, and waits again behind the others if it has more.
    private func run() {
        isScheduled = false
        guard !waiting.isEmpty else { return }
        turn = EventLoop.main.turnCount
        spent = 0
        // Those who wait again meanwhile are not of this round.
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
