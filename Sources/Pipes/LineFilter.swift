import Glibc
import JSONRPC
import MemoryChecks

/// Forwards a stream unchanged, or without some of its lines. Pure.
///
/// While lines are checked, an incomplete line is held back; otherwise nothing is. The forwarded bytes are the stream's
/// own bytes in their order, except for lines that the verdict replaces.
package struct LineFilter: Codable {
    /// The maximum length, in bytes, of a line that is held back for checking. A longer line is forwarded unchecked,
    /// and so is a line for which there is not enough memory.
    let limitBytes: Int
    /// True if a part of a line has been forwarded. Its rest must then be forwarded too, and no other line can come
    /// between.
    private(set) var isMidLine = false
    /// The start of an incomplete line, which is checked when the line is complete.
    private var held: [UInt8] = []

    package init(limitBytes: Int) { self.limitBytes = limitBytes }

    /// Forwards everything.
    mutating func pass(_ chunk: UnsafeRawBufferPointer, to sink: (UnsafeRawBufferPointer) -> Void) {
        release(to: sink)
        guard let last = chunk.last else { return }
        sink(chunk)
        isMidLine = last != Self.lineFeed
    }

    /// Forwards each line as the verdict says. If a part of a line has been forwarded, the rest is forwarded unchecked.
    mutating func pass(
        _ chunk: UnsafeRawBufferPointer, judging verdict: (Span<UInt8>) -> LineVerdict,
        to sink: (UnsafeRawBufferPointer) -> Void
    ) {
        var start = 0
        if isMidLine {
            start = Self.lineEnd(in: chunk, from: 0) ?? chunk.count
            sink(UnsafeRawBufferPointer(rebasing: chunk[..<start]))
            isMidLine = start == 0 || chunk[start - 1] != Self.lineFeed
        }
        while let end = Self.lineEnd(in: chunk, from: start) {
            judge(UnsafeRawBufferPointer(rebasing: chunk[start..<end]), verdict, sink)
            start = end
        }
        keep(UnsafeRawBufferPointer(rebasing: chunk[start...]), sink)
    }

    /// Forwards the held bytes, because lines are not checked from now on.
    mutating func release(to sink: (UnsafeRawBufferPointer) -> Void) {
        guard !held.isEmpty else { return }
        held.withUnsafeBytes { sink($0) }
        held = []
        isMidLine = true
    }

    private static let lineFeed: UInt8 = 0x0a

    /// - Parameter rest: The end of a line, with its line feed.
    private mutating func judge(
        _ rest: UnsafeRawBufferPointer, _ verdict: (Span<UInt8>) -> LineVerdict,
        _ sink: (UnsafeRawBufferPointer) -> Void
    ) {
        if held.isEmpty {
            let line = UnsafeRawBufferPointer(rebasing: rest.dropLast()).assumingMemoryBound(to: UInt8.self)
            return forward(rest, verdict(line.span), sink)
        }
        guard makeRoom(for: rest.count) else {
            release(to: sink)
            sink(rest)
            isMidLine = false
            return
        }
        held.append(contentsOf: rest.dropLast())
        let verdict = verdict(held.span)
        held.append(Self.lineFeed)
        held.withUnsafeBytes { forward($0, verdict, sink) }
        held = []
    }

    /// - Parameter line: The line with its line feed.
    private func forward(
        _ line: UnsafeRawBufferPointer, _ verdict: LineVerdict, _ sink: (UnsafeRawBufferPointer) -> Void
    ) {
        switch verdict {
        case .forwarded: sink(line)
        case .withheld: break
        case .replaced(let other): (other + [Self.lineFeed]).withUnsafeBytes { sink($0) }
        }
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

    /// Returns false if there is not enough memory.
    private mutating func makeRoom(for count: Int) -> Bool {
        let needed = held.count + count
        guard needed > held.capacity, needed > SpareMemory.leastBytes else { return true }
        guard SpareMemory.canAllocate(2 * needed) else { return false }
        held.reserveCapacity(2 * needed)
        return true
    }

    /// Returns the offset after the next line feed.
    static func lineEnd(in chunk: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard let base = chunk.baseAddress, start < chunk.count,
            let found = memchr(base + start, Int32(lineFeed), chunk.count - start)
        else { return nil }
        return UnsafeRawPointer(found) - base + 1
    }
}
