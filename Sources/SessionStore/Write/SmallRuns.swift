import SessionRecords

/// Small runs that follow each other and share a row. Pure.
///
/// For SQLite, a row costs about as much as 2 KB of lines. The lines of a slow agent come one by one and are shorter.
struct SmallRuns {
    /// Four rows of 4,000 bytes, with their times, fit on a page of the file (16 KiB). SQLite loads a whole row even if one line
    /// is needed.
    static let rowBytes = 4000
    /// 1,000 bytes: longer runs are too few in a row to gain anything.
    static let longestRun = rowBytes / 4

    private static let timeBytes = MemoryLayout<UInt32>.size

    private var lines: [UInt8] = []
    private var count = 0
    /// The time and the number of lines of each run.
    private var runs: [(ts: Int64, count: Int)] = []

    /// Returns false if the run does not fit into the row. Then nothing was added.
    mutating func add(_ more: [UInt8], count: Int, ts: Int64) -> Bool {
        guard more.count <= Self.longestRun else { return false }
        guard let first = runs.first, let last = runs.last else {
            (lines, self.count, runs) = (more, count, [(ts, count)])
            return true
        }
        // The row has 32 bits for the time between two lines, and none for a clock that was set back.
        guard lines.count + more.count + Self.timeBytes * (self.count + count) <= Self.rowBytes, ts >= last.ts,
            UInt32(exactly: ts.subtractingReportingOverflow(first.ts).partialValue) != nil
        else { return false }
        lines += more
        self.count += count
        runs.append((ts, count))
        return true
    }

    /// Returns the row with the runs added since the last call, or nil if there are none.
    mutating func takeRow() -> AppendRow? {
        guard let first = runs.first, let last = runs.last else { return nil }
        defer { self = SmallRuns() }
        return .run(
            lines: lines[...], count: count, ts: last.ts, earlier: first.ts == last.ts ? nil : earlier(than: last.ts))
    }

    /// Returns the column `earlier`: see ``Schema``.
    private func earlier(than last: Int64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.timeBytes * count)
        for run in runs {
            let difference = UInt32(truncatingIfNeeded: last - run.ts).littleEndian
            withUnsafeBytes(of: difference) { difference in
                for _ in 0..<run.count { bytes.append(contentsOf: difference) }
            }
        }
        return bytes
    }
}
