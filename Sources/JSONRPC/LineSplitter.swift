import MemoryChecks

/// Splits a stream of bytes into lines at each line feed (0x0A), regardless of how the stream was cut into chunks.
///
/// A line that is complete within a chunk is passed on without a copy. The start of an unfinished line is kept until
/// its end arrives. A line over the limit, or for which there is not enough memory, is skipped and reported with its
/// size. A carriage return before the line feed stays part of the line, because JSON treats it as white space.
public struct LineSplitter: Sendable, Codable {
    /// A line of the stream. Its bytes are valid only during the call that passes it on.
    public enum Line: ~Escapable {
        /// One line without its line feed; it can be empty.
        case line(Span<UInt8>)
        /// A line that exceeds the limit or the available memory. None of it was kept.
        case oversized(byteCount: Int)
    }

    /// An emptied buffer of up to this many bytes (the size of a usual pipe read) is kept for the next unfinished line.
    /// A larger buffer is freed, so that one huge line does not occupy memory forever.
    static let keptCapacityBytes = 65_536

    /// 1 MiB. Copying a longer line, or reallocating its buffer each time it grows, would take longer than scanning it,
    /// and others may be waiting.
    public static let longLineBytes = 1 << 20

    /// 64 MiB of address space, if the limit allows it. Memory is used only as bytes arrive.
    static let reservedBytes = 64 << 20

    /// The number of copies of a line that can exist at the same time: SQLite's row, and a reader's page.
    static let copies = 2

    /// The length of the longest line that is passed on, in bytes without its line feed. It does not depend on the
    /// chunks.
    public let limitBytes: Int

    /// The start of an unfinished line: at most `limitBytes` long, and empty while an oversized line is skipped. Above
    /// ``reservedBytes`` it grows by doubling, so its memory can temporarily be twice that.
    private var carry: [UInt8] = []

    /// The unfinished line's length so far. It exceeds the length of `carry` if the line is skipped.
    private var unfinishedBytes = 0

    private let hasMemory: @Sendable (_ byteCount: Int) -> Bool

    /// ``hasMemory`` is not encoded.
    private enum CodingKeys: CodingKey { case limitBytes, carry, unfinishedBytes }

    public init(limitBytes: Int) { self.init(limitBytes: limitBytes, hasMemory: SpareMemory.canAllocate) }

    /// - Parameter hasMemory: returns whether this number of bytes can be allocated.
    init(limitBytes: Int, hasMemory: @escaping @Sendable (Int) -> Bool) {
        self.limitBytes = limitBytes
        self.hasMemory = hasMemory
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(limitBytes: try container.decode(Int.self, forKey: .limitBytes))
        carry = try container.decode([UInt8].self, forKey: .carry)
        unfinishedBytes = try container.decode(Int.self, forKey: .unfinishedBytes)
    }

    /// Calls `body` with each line that ends in `chunk`, in order.
    ///
    /// - Parameter long: Called instead of `body` for a line of more than ``longLineBytes``. The line is in its own
    ///   buffer, ends with a line feed, and can be kept.
    public mutating func split(_ chunk: Span<UInt8>, long: (([UInt8]) -> Void)? = nil, _ body: (borrowing Line) -> Void)
    {
        var start = 0
        while let lineFeed = chunk.firstIndex(of: 0x0a, from: start) {
            endLine(chunk.extracting(start..<lineFeed), long, body)
            start = lineFeed + 1
        }
        keep(chunk.extracting(start..<chunk.count))
    }

    /// Same as `split` over a span, for a read buffer. The pointer is not kept.
    public mutating func split(
        _ chunk: UnsafeRawBufferPointer, long: (([UInt8]) -> Void)? = nil, _ body: (borrowing Line) -> Void
    ) {
        split(chunk.assumingMemoryBound(to: UInt8.self).span, long: long, body)
    }

    /// Call at the end of the stream: passes on the last line if it has bytes and no line feed. The splitter is then
    /// empty.
    public mutating func finish(long: (([UInt8]) -> Void)? = nil, _ body: (borrowing Line) -> Void) {
        guard unfinishedBytes > 0 else { return }
        let nothing: ArraySlice<UInt8> = []
        endLine(nothing.span, long, body)
    }

    /// The number of bytes of the unfinished line that are in memory. For tests.
    var carriedBytes: Int { carry.count }

    private mutating func endLine(_ rest: Span<UInt8>, _ long: (([UInt8]) -> Void)?, _ body: (borrowing Line) -> Void) {
        let length = unfinishedBytes + rest.count
        if isSkipped || length > limitBytes || !hasMemoryForCopies(of: length) {
            body(.oversized(byteCount: length))
        } else if unfinishedBytes > 0 || (long != nil && length > Self.longLineBytes), !makeRoom(for: rest.count + 1) {
            body(.oversized(byteCount: length))
        } else if let long, length > Self.longLineBytes {
            append(rest)
            carry.append(0x0a)
            // Move the buffer out, so that the receiver is its only owner.
            var line: [UInt8] = []
            swap(&line, &carry)
            long(line)
        } else if unfinishedBytes == 0 {
            body(.line(rest))
        } else {
            append(rest)
            let line = carry[...]
            body(.line(line.span))
        }
        unfinishedBytes = 0
        emptyCarry()
    }

    private mutating func keep(_ rest: Span<UInt8>) {
        guard !rest.isEmpty else { return }
        let isKept = !isSkipped && unfinishedBytes + rest.count <= limitBytes && makeRoom(for: rest.count)
        unfinishedBytes += rest.count
        if isKept { append(rest) } else { emptyCarry() }
    }

    private var isSkipped: Bool { carry.count != unfinishedBytes }

    private func hasMemoryForCopies(of length: Int) -> Bool {
        length <= Self.longLineBytes || hasMemory(Self.copies * length)
    }

    /// Makes `carry` large enough for `count` more bytes. Returns false if there is not enough memory.
    private mutating func makeRoom(for count: Int) -> Bool {
        let needed = carry.count + count
        guard needed > Self.longLineBytes, needed > carry.capacity else { return true }
        // Reserve the most that a line can need, so that it is not copied each time it grows. If there is not enough
        // memory, reserve less.
        let reserved = min(limitBytes, Self.reservedBytes) + 1
        for capacity in [needed > reserved ? 2 * needed : reserved, needed + needed / 2, needed] {
            guard hasMemory(capacity) else { continue }
            carry.reserveCapacity(capacity)
            return true
        }
        return false
    }

    private mutating func append(_ bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer { carry.append(contentsOf: $0) }
    }

    private mutating func emptyCarry() {
        if carry.isEmpty { return }
        if carry.capacity > Self.keptCapacityBytes { carry = [] } else { carry.removeAll(keepingCapacity: true) }
    }
}
