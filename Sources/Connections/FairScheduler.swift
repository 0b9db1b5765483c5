import EventLoop

/// Divides the loop's time between sending and all other work. In one turn of the loop, streams are written for a
/// bounded time. Writers that have more to send continue in the next turn, after the output that agents have
/// written in the meantime.
///
/// A hundred readers that catch up at once therefore make a turn no longer than a few readers do. Time is estimated,
/// not measured, because reading a clock would cost as much as a small write.
@LoopActor package final class FairScheduler {
    /// Half a millisecond for streams that are at their end, and as much for writers that have waited. Neither group
    /// can take the other's share.
    private static let shareNanoseconds = 500_000

    let services: LoopServices
    private let loop: EventLoop?
    private var roundCount = 0
    // These two are numbers that are used for each write, and no use of a number overlaps another.
    @exclusivity(unchecked) private var turn = 0
    @exclusivity(unchecked) private var spent = 0
    private var waiting = FIFOQueue<ConnectionWriter>()
    private var isScheduled = false
    /// True while a round with more than one writer runs.
    private var isInRound = false

    /// - Parameter loop: counts the turns; without a loop, each round of waiting writers begins a new turn. This is a
    ///   concrete type because each write asks for the number of the turn.
    package init(services: LoopServices = .main, loop: EventLoop? = .main) {
        self.services = services
        self.loop = loop
    }

    private var currentTurn: Int { loop?.turnCount ?? roundCount }

    /// True if this turn of the loop has time left for sending.
    var hasTime: Bool {
        let currentTurn = currentTurn
        if turn != currentTurn {
            turn = currentTurn
            spent = 0
        }
        return spent < Self.shareNanoseconds
    }

    /// Lets the next writer that asks continue, regardless of the time that was spent.
    func grant() {
        if !hasTime { spent = Self.shareNanoseconds - 1 }
    }

    /// Counts a write to a socket: 2 µs, and 1 µs for each 2 KB, or for 8 KB without a copy.
    func wrote(_ count: Int, isCopied: Bool = true) { spent += 2_000 + count / (isCopied ? 2 : 8) }

    /// Counts the compression of `count` bytes: 5 µs for each 1 KB.
    func compressed(_ count: Int) { spent += 5 * count }

    /// Counts the scan of `count` bytes: 1 µs for each 1 KB.
    package func lookedThrough(_ count: Int) { spent += count }

    /// True if other writers wait for their turn. A writer that has sent a piece then lets the others go first.
    /// Readers at the same position thus get a piece one after the other, while it is in the processor's cache, and
    /// stay together.
    var othersWait: Bool { !waiting.isEmpty || isInRound }

    /// Calls `writer.resume()` in the next turn of the loop.
    func wait(_ writer: ConnectionWriter) {
        guard !writer.isWaitingForTurn else { return }
        writer.isWaitingForTurn = true
        waiting.append(writer)
        schedule()
    }

    private func schedule() {
        guard !isScheduled else { return }
        isScheduled = true
        services.timers.soon { [weak self] in self?.run() }
    }

    /// Gives the waiting writers their turns. Each writer sends its share, and waits again at the end of the queue if
    /// it has more.
    private func run() {
        isScheduled = false
        guard !waiting.isEmpty else { return }
        roundCount += 1
        turn = currentTurn
        spent = 0
        // writers that start to wait again in the meantime do not belong to this round.
        let count = waiting.count
        isInRound = count > 1
        defer { isInRound = false }
        for _ in 0..<count {
            guard hasTime, let writer = waiting.popFirst() else { break }
            writer.isWaitingForTurn = false
            writer.resume()
        }
        if !waiting.isEmpty { schedule() }
    }
}
