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

    /// The longest line that is handed out, in bytes without its line feed. The same however the stream is chunked.
    public let limitBytes: Int

    /// The start of an unfinished line: at most `limitBytes` long, and empty while an oversized line is passed over.
    /// Growing by doubling, its memory may for a while be twice that.
    private var carry: [UInt8] = []

    /// The unfinished line's length so far.
    private var unfinishedBytes = 0

    public init(limitBytes: Int) {
        self.limitBytes = limitBytes
    }

    /// Hands the lines that end in `chunk` to `body`, in order.
    public mutating func split(_ chunk: Span<UInt8>, _ body: (borrowing Line) -> Void) {
        var start = 0
        while let lineFeed = chunk.firstIndex(of: 0x0a, from: start) {
            endLine(chunk.extracting(start..<lineFeed), body)
            start = lineFeed + 1
        }
        keep(chunk.extracting(start..<chunk.count))
    }

    /// As `split(_:_:)` over a `Span`, for a read buffer. The pointer is not kept.
    public mutating func split(_ chunk: UnsafeRawBufferPointer, _ body: (borrowing Line) -> Void) {
        split(chunk.assumingMemoryBound(to: UInt8.self).span, body)
    }

    /// At the end of the stream: hands out the last line, if it has bytes and no line feed. After that all is as new.
    public mutating func finish(_ body: (borrowing Line) -> Void) {
        guard unfinishedBytes > 0 else { return }
        let nothing: [UInt8] = []
        endLine(nothing.span, body)
    }

    /// The bytes of the unfinished line that are kept in memory.
    public var carriedBytes: Int { carry.count }

    private mutating func endLine(_ rest: Span<UInt8>, _ body: (borrowing Line) -> Void) {
        let length = unfinishedBytes + rest.count
        if length > limitBytes {
            body(.oversized(byteCount: length))
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
        bytes.withUnsafeBufferPointer { carry.append(contentsOf: $0) }
    }

    private mutating func emptyCarry() {
        if carry.isEmpty { return }
        if carry.capacity > Self.keptCapacityBytes { carry = [] } else { carry.removeAll(keepingCapacity: true) }
    }
}
