import Glibc
import JSONRPC

/// Lets a stream pass as it comes, or leaves out some of its lines. Pure.
///
/// While lines are judged, one that is not whole yet is kept back; otherwise nothing is. What passes is the stream's own
/// bytes in their order.
struct LineFilter: Codable {
    /// The longest line that is kept back to be judged; a longer one passes, and so does one for which there is no memory.
    let limitBytes: Int
    /// A part of a line has passed, so that its rest must pass too, and nothing else may come between.
    private(set) var isMidLine = false
    /// The start of a line that is to be judged when it is whole.
    private var held: [UInt8] = []

    init(limitBytes: Int) { self.limitBytes = limitBytes }

    /// Passes everything.
    mutating func pass(_ chunk: UnsafeRawBufferPointer, to sink: (UnsafeRawBufferPointer) -> Void) {
        release(to: sink)
        guard let last = chunk.last else { return }
        sink(chunk)
        isMidLine = last != Self.lineFeed
    }

    /// Passes the lines that are not to be withheld. Of a line that has passed in part the rest passes unjudged.
    mutating func pass(
        _ chunk: UnsafeRawBufferPointer, withholding isWithheld: (Span<UInt8>) -> Bool,
        to sink: (UnsafeRawBufferPointer) -> Void
    ) {
        var start = 0
        if isMidLine {
            start = Self.lineEnd(in: chunk, from: 0) ?? chunk.count
            sink(UnsafeRawBufferPointer(rebasing: chunk[..<start]))
            isMidLine = start == 0 || chunk[start - 1] != Self.lineFeed
        }
        while let end = Self.lineEnd(in: chunk, from: start) {
            judge(UnsafeRawBufferPointer(rebasing: chunk[start..<end]), isWithheld, sink)
            start = end
        }
        keep(UnsafeRawBufferPointer(rebasing: chunk[start...]), sink)
    }

    /// Passes what was kept back: no more is judged.
    mutating func release(to sink: (UnsafeRawBufferPointer) -> Void) {
        guard !held.isEmpty else { return }
        held.withUnsafeBytes { sink($0) }
        held = []
        isMidLine = true
    }

    private static let lineFeed: UInt8 = 0x0a

    /// - Parameter rest: the end of a line, with its line feed.
    private mutating func judge(
        _ rest: UnsafeRawBufferPointer, _ isWithheld: (Span<UInt8>) -> Bool, _ sink: (UnsafeRawBufferPointer) -> Void
    ) {
        if held.isEmpty {
            let line = UnsafeRawBufferPointer(rebasing: rest.dropLast()).assumingMemoryBound(to: UInt8.self)
            if !isWithheld(line.span) { sink(rest) }
            return
        }
        guard makeRoom(for: rest.count) else {
            release(to: sink)
            sink(rest)
            isMidLine = false
            return
        }
        held.append(contentsOf: rest.dropLast())
        if !isWithheld(held.span) {
            held.append(Self.lineFeed)
            held.withUnsafeBytes { sink($0) }
        }
        held = []
    }

    private mutating func keep(_ rest: UnsafeRawBufferPointer, _ sink: (UnsafeRawBufferPointer) -> Void) {
        guard !rest.isEmpty, !isMidLine else { return }
        guard makeRoom(for: rest.count) else {
            release(to: sink)
            sink(rest)
            return
        }
        held.append(contentsOf: rest)
        if held.count > limitBytes { release(to: sink) }
    }

    /// False if there is no memory for it.
    private mutating func makeRoom(for count: Int) -> Bool {
        let needed = held.count + count
        guard needed > held.capacity, needed > SpareMemory.leastBytes else { return true }
        guard SpareMemory.holds(2 * needed) else { return false }
        held.reserveCapacity(2 * needed)
        return true
    }

    /// Behind the next line feed.
    private static func lineEnd(in chunk: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard let base = chunk.baseAddress, start < chunk.count,
            let found = memchr(base + start, Int32(lineFeed), chunk.count - start)
        else { return nil }
        return UnsafeRawPointer(found) - base + 1
    }
}
