/// Splits a stream of bytes into lines at each line feed (0x0A), however the stream was cut into chunks.
///
/// Lines that lie whole in a chunk are handed out where they lie. The start of an unfinished line is kept until its end
/// arrives; a line over the limit is not: it is counted, passed over, and reported with its size. A carriage return
/// before the line feed stays part of the line, where JSON takes it for white space.
public struct LineSplitter: Sendable, Codable {
    /// What the stream held; the bytes are there only during the call that hands them out.
    public enum Line: ~Escapable {
        /// One line without its line feed; it may be empty.
        case line(Span<UInt8>)
        /// A line of more bytes than the limit, of which nothing was kept.
        case oversized(byteCount: Int)
    }

    /// An emptied buffer of up to this many bytes is kept for the next unfinished line: a pipe's usual read. A larger
    /// one is given back, so that one huge line does not cost its memory for ever.
    static let keptCapacityBytes = 65_536

    /// 1 MiB. To copy a line that is longer, or to give a buffer for it anew each time it has grown, would take longer than
    /// to scan it, and others may wait for that.
    public static let longLineBytes = 1 << 20

    /// 64 MiB of addresses, if the limit is so high; memory comes with the bytes.
    static let reservedBytes = 64 << 20

    /// The longest line that is handed out, in bytes without its line feed. The same however the stream is chunked.
    public let limitBytes: Int

    /// The start of an unfinished line: at most `limitBytes` long, and empty while an oversized line is passed over.
    /// Beyond ``reservedBytes`` it grows by doubling, and its memory may for a while be twice that.
    private var carry: [UInt8] = []

    /// The unfinished line's length so far.
    private var unfinishedBytes = 0

    public init(limitBytes: Int) {
        self.limitBytes = limitBytes
    }

    /// Hands the lines that end in `chunk` to `body`, in order.
    ///
    /// - Parameter long: given a line of more than ``longLineBytes`` instead, in a buffer of its own and with a line feed at
    ///   its end, to keep.
    public mutating func split(_ chunk: Span<UInt8>, long: (([UInt8]) -> Void)? = nil, _ body: (borrowing Line) -> Void)
    {
        var start = 0
        while let lineFeed = chunk.firstIndex(of: 0x0a, from: start) {
            endLine(chunk.extracting(start..<lineFeed), long, body)
            start = lineFeed + 1
        }
        keep(chunk.extracting(start..<chunk.count))
    }

    /// The same over a read buffer. The pointer is not kept.
    public mutating func split(
        _ chunk: UnsafeRawBufferPointer, long: (([UInt8]) -> Void)? = nil, _ body: (borrowing Line) -> Void
    ) {
        split(chunk.assumingMemoryBound(to: UInt8.self).span, long: long, body)
    }

    /// At the end of the stream: hands out the last line, if it has bytes and no line feed. After that all is as new.
    public mutating func finish(long: (([UInt8]) -> Void)? = nil, _ body: (borrowing Line) -> Void) {
        guard unfinishedBytes > 0 else { return }
        let nothing: [UInt8] = []
        endLine(nothing.span, long, body)
    }

    /// The bytes of the unfinished line that are kept in memory.
    public var carriedBytes: Int { carry.count }

    private mutating func endLine(_ rest: Span<UInt8>, _ long: (([UInt8]) -> Void)?, _ body: (borrowing Line) -> Void) {
        let length = unfinishedBytes + rest.count
        if length > limitBytes {
            body(.oversized(byteCount: length))
        } else if let long, length > Self.longLineBytes {
            append(rest)
            carry.append(0x0a)
            // Ours no longer, so that whoever keeps it is its only owner.
            var line: [UInt8] = []
            swap(&line, &carry)
            long(line)
        } else if unfinishedBytes == 0 {
            body(.line(rest))
        } else {
            append(rest)
            body(.line(carry.span))
        }
        unfinishedBytes = 0
        emptyCarry()
    }

    private mutating func keep(_ rest: Span<UInt8>) {
        guard !rest.isEmpty else { return }
        unfinishedBytes += rest.count
        if unfinishedBytes > limitBytes {
            emptyCarry()
        } else {
            append(rest)
        }
    }

    private mutating func append(_ bytes: Span<UInt8>) {
        let reserved = min(limitBytes, Self.reservedBytes)
        if carry.count + bytes.count > Self.longLineBytes, carry.capacity <= reserved {
            carry.reserveCapacity(reserved + 1)
        }
        bytes.withUnsafeBufferPointer { carry.append(contentsOf: $0) }
    }

    private mutating func emptyCarry() {
        if carry.isEmpty { return }
        if carry.capacity > Self.keptCapacityBytes { carry = [] } else { carry.removeAll(keepingCapacity: true) }
    }
}
