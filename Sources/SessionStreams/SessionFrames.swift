import EventLoop
import Posix
import SessionRecords

/// The frames of all sessions in memory, within their limits.
@LoopActor struct FrameMemory {
    let tailBudget = TailBudget()
    let pages: PageCache
}

/// The frames of one session in memory: the newest ones, and its pages of the log.
@LoopActor struct SessionFrames {
    /// The owners of this session's pages.
    let pages: PageCache.StreamOwners
    private let tail = Tail()
    private let budget: TailBudget

    init(_ memory: FrameMemory) {
        pages = memory.pages.newOwners()
        budget = memory.tailBudget
    }

    /// Makes frames of stored updates, and keeps the newest. A run that is too long to be kept is left out: readers get it
    /// from the log, so that only they pay for it.
    ///
    /// - Parameter receiverCount: The number of readers that will get a piece of the updates.
    func add(
        _ items: [LogItem], from first: Int64, at now: Instant, receiverCount: () -> Int
    ) -> [FrameChunk] {
        var number = first
        var chunks: [FrameChunk] = []
        for case .run(let lines, let count, _) in items {
            defer { number += Int64(count) }
            guard lines.count <= Tail.limitBytes,
                let chunk = FrameChunk(lines: lines, count: count, first: number, receiverCount: receiverCount())
            else {
                tail.skip(lines.count)
                continue
            }
            chunk.place = (now, tail.endOffset)
            budget.appended(chunk.first, to: tail, growth: tail.append(chunk))
            chunks.append(chunk)
        }
        return chunks
    }

    /// The position at which the newest frames end, counted in bytes over the session's whole time in memory; the size
    /// of these frames; and the time when the oldest of them were stored.
    var extent: (end: Int, byteCount: Int, oldest: Instant?) {
        (tail.endOffset, tail.byteCount, tail.oldest?.place?.storedAt)
    }

    /// One of the newest frames, by the number of one of its messages.
    func newest(holding number: Int64) -> FrameChunk? { tail.chunk(holding: number) }

    /// Drops the newest frames from memory. Readers find them in the log.
    func dropNewest() {
        budget.released(tail.byteCount)
        while tail.dropOldest() != nil {}
    }
}
