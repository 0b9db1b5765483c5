import EventLoop

/// Keeps all sessions' tails together under one limit. The oldest chunk of all tails is dropped first.
@LoopActor final class TailBudget {
    /// 256 MiB: 64 sessions with full tails.
    static let limitBytes = 256 << 20

    private let limitBytes: Int
    private var byteCount = 0
    /// The chunks in the order in which they were appended. Chunks that their session has dropped stay in the list
    /// until there are too many of them.
    private var order: [Appended] = []
    private var head = 0
    private var tidyingCount = leastTidyingCount

    private static let leastTidyingCount = 1024

    private struct Appended {
        /// Not weak, because each use of an object with weak references costs more. A session that goes empties its tail.
        let tail: Tail
        let number: Int64

        var isHeld: Bool { tail.chunk(holding: number) != nil }
    }

    init(limitBytes: Int = TailBudget.limitBytes) { self.limitBytes = limitBytes }

    /// - Parameter number: the number of the chunk's first message.
    func appended(_ number: Int64, to tail: Tail, growth: Int) {
        byteCount += growth
        order.append(Appended(tail: tail, number: number))
        while byteCount > limitBytes, head < order.count {
            if order[head].isHeld { byteCount -= order[head].tail.dropOldest() ?? 0 }
            head += 1
        }
        if order.count >= tidyingCount { tidy() }
    }

    /// Runs each time the list has doubled since the last run, so the cost for each element does not depend on the
    /// length of the list.
    private func tidy() {
        order = order[head...].filter(\.isHeld)
        head = 0
        tidyingCount = max(Self.leastTidyingCount, 2 * order.count)
    }

    func released(_ bytes: Int) { byteCount -= bytes }
}
