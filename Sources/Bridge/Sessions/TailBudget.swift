import EventLoop

/// One that has a tail: a session.
@LoopActor protocol TailOwner: AnyObject {
    func tailChunk(holding number: Int64) -> FrameChunk?
    /// Returns its size; nil when there is none.
    func dropOldestOfTail() -> Int?
}

/// Holds all sessions' tails together under one limit: the oldest chunk of all gives way first.
@LoopActor final class TailBudget {
    /// 256 MiB: 64 sessions with full tails.
    static let limitBytes = 256 << 20

    private let limitBytes: Int
    private var byteCount = 0
    /// The chunks in the order they were appended. Those that gave way within their session are left standing, and
    /// sorted out when there are too many.
    private var order: [Appended] = []
    private var head = 0
    private var tidyingCount = leastTidyingCount

    private static let leastTidyingCount = 1024

    private struct Appended {
        weak var owner: (any TailOwner)?
        let number: Int64

        @LoopActor var isHeld: Bool { owner?.tailChunk(holding: number) != nil }
    }

    init(limitBytes: Int = TailBudget.limitBytes) { self.limitBytes = limitBytes }

    /// - Parameter number: of the chunk's first message.
    func appended(_ number: Int64, to owner: any TailOwner, growth: Int) {
        byteCount += growth
        order.append(Appended(owner: owner, number: number))
        while byteCount > limitBytes, head < order.count {
            if order[head].isHeld { byteCount -= order[head].owner?.dropOldestOfTail() ?? 0 }
            head += 1
        }
        if order.count >= tidyingCount { tidy() }
    }

    /// Each time twice as much as was left has come, so that an element costs the same however many there are.
    private func tidy() {
        order = order[head...].filter(\.isHeld)
        head = 0
        tidyingCount = max(Self.leastTidyingCount, 2 * order.count)
    }

    func released(_ bytes: Int) { byteCount -= bytes }
}
