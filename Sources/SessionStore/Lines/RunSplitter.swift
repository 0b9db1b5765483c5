import SessionRecords

/// Divides the lines of one append into rows, and checks their number against the append's count.
enum RunSplitter {
    /// 256 KiB, the size of a reader's page. SQLite loads a whole row even if only a page of it is needed. A longer
    /// line has a row of its own.
    static let rowBytes = 256 << 10

    struct Part: Equatable {
        let range: Range<Int>
        let count: Int
    }

    static func parts(
        of lines: [UInt8], count: Int, rowBytes: Int = RunSplitter.rowBytes
    ) throws(LogError) -> [Part] {
        let parts = lines.withUnsafeBytes { cut(LineBlock(bytes: $0), rowBytes: rowBytes) }
        let found = parts.reduce(0) { $0 + $1.count }
        // If the count were greater than the number of lines, the surplus update numbers would be missing for ever. If
        // the last LF is missing, the last part ends before the end of the bytes.
        guard found == count, parts.last?.range.upperBound ?? 0 == lines.count else {
            throw .miscountedRun(said: count, found: found)
        }
        return parts
    }

    /// Returns false if ``parts(of:count:rowBytes:)`` would throw.
    static func accepts(_ lines: [UInt8], count: Int) -> Bool {
        lines.withUnsafeBytes { bytes in
            guard bytes.last == UInt8(ascii: "\n") else { return count == 0 && bytes.isEmpty }
            return LineBlock(bytes: bytes).lineCount(in: 0..<bytes.count) == count
        }
    }

    private static func cut(_ block: LineBlock, rowBytes: Int) -> [Part] {
        var parts: [Part] = []
        var start = 0
        while start < block.bytes.count {
            var end = block.endOfLines(from: start, limit: rowBytes)
            if end == start { end = block.endOfLine(at: start) ?? start }
            guard end > start else { break }
            parts.append(Part(range: start..<end, count: block.lineCount(in: start..<end)))
            start = end
        }
        return parts
    }
}
