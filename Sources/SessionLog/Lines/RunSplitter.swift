/// Cuts the lines of one append into rows, and checks that there are as many as the append says.
enum RunSplitter {
    /// 256 KiB, a page of a reader: to cut a page out of a row SQLite loads the whole row. A longer line is a row of
    /// its own.
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
        // A number that said more than its bytes would be missing for ever; the last part ends short if an LF is
        // missing.
        guard found == count, parts.last?.range.upperBound ?? 0 == lines.count else {
            throw .miscountedRun(said: count, found: found)
        }
        return parts
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
