import Glibc

/// Bytes that hold lines, each followed by one LF. The bytes are borrowed: a block is valid as long as their owner.
struct LineBlock {
    let bytes: UnsafeRawBufferPointer

    static var emptyLine: LineBlock {
        let line: StaticString = "\n"
        return LineBlock(bytes: UnsafeRawBufferPointer(start: line.utf8Start, count: line.utf8CodeUnitCount))
    }

    private static let lineFeed = Int32(UInt8(ascii: "\n"))

    /// Returns the number of lines between two offsets.
    func lineCount(in range: Range<Int>) -> Int {
        var count = 0
        var offset = range.lowerBound
        while let end = endOfLine(at: offset), end <= range.upperBound {
            count += 1
            offset = end
        }
        return count
    }

    /// Returns the offset after the LF that ends the line at `offset`, or `nil` without a whole line.
    func endOfLine(at offset: Int) -> Int? {
        guard offset < bytes.count, let base = bytes.baseAddress else { return nil }
        guard let found = memchr(base + offset, Self.lineFeed, bytes.count - offset) else { return nil }
        return UnsafeRawPointer(found) - base + 1
    }

    /// Returns the offset after the first `count` lines, or `nil` if there are fewer lines.
    func offset(afterLines count: Int) -> Int? {
        var offset = 0
        for _ in 0..<count {
            guard let end = endOfLine(at: offset) else { return nil }
            offset = end
        }
        return offset
    }

    /// Returns the offset after the last whole line that ends within `limit` bytes of `start`, or `start` if no line
    /// does.
    func endOfLines(from start: Int, limit: Int) -> Int {
        let length = min(limit, bytes.count - start)
        guard length > 0, let found = bytes[start..<(start + length)].lastIndex(of: UInt8(ascii: "\n")) else {
            return start
        }
        return found + 1
    }
}
