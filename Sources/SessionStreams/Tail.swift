/// The newest frames of a session, kept in memory so that readers near the end need not read the log.
///
/// The tail is limited in bytes, and the oldest chunk is dropped first. A single chunk above the limit is not kept at
/// all.
///
/// An object of its own, because ``TailBudget`` refers to it.
final class Tail {
    /// 4 MiB: about 14,000 updates of the common size, which is a whole turn.
    static let limitBytes = 4 << 20

    /// Chunks before `head` were dropped and are nil. Used for each update, and only by this class's own functions.
    @exclusivity(unchecked) private var chunks: [FrameChunk?] = []
    private var head = 0
    private(set) var byteCount = 0
    /// Bytes of all chunks that were ever appended or passed over.
    private(set) var endOffset = 0

    /// Appends a chunk. Returns by how many bytes the tail grew; negative if older chunks were dropped.
    func append(_ chunk: FrameChunk) -> Int {
        let before = byteCount
        chunks.append(chunk)
        byteCount += chunk.byteCount
        endOffset += chunk.byteCount
        while byteCount > Self.limitBytes { dropOldest() }
        return byteCount - before
    }

    /// Counts the next bytes of the log, which are too long to be kept here.
    func skip(_ bytes: Int) { endOffset += bytes }

    /// Drops the oldest chunk. Returns its size, or nil if there is none.
    @discardableResult
    func dropOldest() -> Int? {
        guard head < chunks.count else { return nil }
        let size = chunks[head].take()?.byteCount ?? 0
        head += 1
        byteCount -= size
        if head > 64, head * 2 > chunks.count {
            chunks.removeFirst(head)
            head = 0
        }
        if head == chunks.count {
            chunks.removeAll(keepingCapacity: false)
            head = 0
        }
        return size
    }

    var oldest: FrameChunk? { head < chunks.count ? chunks[head] : nil }

    /// Returns the chunk that holds the message with this number, if the chunk is still in memory.
    func chunk(holding number: Int64) -> FrameChunk? {
        var low = head
        var high = chunks.count
        while low < high {
            let middle = (low + high) / 2
            guard let chunk = chunks[middle] else { return nil }
            if number < chunk.first {
                high = middle
            } else if number >= chunk.first + Int64(chunk.count) {
                low = middle + 1
            } else {
                return chunk
            }
        }
        return nil
    }
}
