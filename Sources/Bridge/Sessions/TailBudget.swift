import EventLoop

/// Holds all sessions' tails together under one limit: the oldest chunk of all gives way first.
@LoopActor final class TailBudget {
    /// 256 MiB: 64 sessions with full tails.
    static let limitBytes = 256 << 20

    private var byteCount = 0
    /// One element for each chunk that was appended, in order; those that gave way within their session stay until
    /// they come up.
    private var order: [Weak] = []
    private var head = 0

    private struct Weak { weak var session: Session? }

    func appended(to session: Session, growth: Int) {
        byteCount += growth
        order.append(Weak(session: session))
        while byteCount > Self.limitBytes, head < order.count {
            byteCount -= order[head].session?.dropOldestOfTail() ?? 0
            head += 1
        }
        if head > 1024, head * 2 > order.count || byteCount == 0 {
            order.removeFirst(head)
            head = 0
        }
    }

    func released(_ bytes: Int) { byteCount -= bytes }
}
