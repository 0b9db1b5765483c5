import EventLoop

/// Keeps all sessions' tails together under one limit. The oldest chunk of all tails is dropped first.
@LoopActor final class TailBudget {
    /// 256 MiB: 64 sessions with full tails.
    static let limitBytes = 256 << 20

    private let limitBytes: Int
    // These two are used for each update. Only this class's own functions use them, one after the other.
    @exclusivity(unchecked) private var byteCount = 0
    /// All chunks, in the order in which they were appended. An entry stays when its chunks are dropped, until there are too
    /// many such entries.
    @exclusivity(unchecked) private var order: [Appended] = []
    private var head = 0
    private var tidyingCount = leastTidyingCount

    private static let leastTidyingCount = 1024

    /// Chunks of one tail that were appended one after the other.
    private struct Appended {
        /// Not weak, because each use of an object with weak references costs more. A session that goes empties its tail.
        let tail: Tail
        /// The number of the first message of the last chunk.
        var last: Int64

        /// True if the tail still has some of the chunks.
        var isHeld: Bool { tail.oldest.map { $0.first <= last } ?? false }
    }

    init(limitBytes: Int = TailBudget.limitBytes) { self.limitBytes = limitBytes }

    /// - Parameter number: the number of the chunk's first message.
    func appended(_ number: Int64, to tail: Tail, growth: Int) {
        byteCount += growth
        if head < order.count, let latest = order.last, latest.tail === tail, latest.last < number {
            order[order.count - 1].last = number
        } else {
            order.append(Appended(tail: tail, last: number))
        }
        if byteCount > limitBytes { dropOldest() }
        if order.count >= tidyingCount { tidy() }
    }

    private func dropOldest() {
        while byteCount > limitBytes, head < order.count {
            if order[head].isHeld { byteCount -= order[head].tail.dropOldest() ?? 0 } else { head += 1 }
        }
    }

    /// Runs each time the list has doubled since the last run, so the cost for each element does not depend on the
    /// length of the list.
    private func tidy() {
        var held: [Appended] = []
        for appended in order[head...] where appended.isHeld { held.append(appended) }
        order = held
        head = 0
        tidyingCount = max(Self.leastTidyingCount, 2 * order.count)
    }

    func released(_ bytes: Int) { byteCount -= bytes }
}
