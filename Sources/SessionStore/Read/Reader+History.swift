import SQLite
import SessionRecords

extension Reader {
    func updates(
        sid: Int64, start: HistoryStart, limit: Int, direction: HistoryDirection, oldest: Int64
    ) throws(SQLiteError) -> HistoryPage {
        switch direction {
        case .forward:
            let first = try firstForward(sid: sid, start: start, oldest: oldest)
            return try forward(sid: sid, first: first, limit: limit)
        case .backward:
            let last = try lastBackward(sid: sid, start: start, oldest: oldest)
            return try backward(sid: sid, last: last, limit: limit)
        }
    }

    private func firstForward(sid: Int64, start: HistoryStart, oldest: Int64) throws(SQLiteError) -> Int64 {
        switch start {
        case .seq(let seq): max(oldest, min(seq, .max - 1) + 1)
        case .ts(let ts): try firstUpdate(sid: sid, notBefore: ts, oldest: oldest)
        }
    }

    private func lastBackward(sid: Int64, start: HistoryStart, oldest: Int64) throws(SQLiteError) -> Int64 {
        switch start {
        case .seq(let seq): max(seq, 1) - 1
        case .ts(.max): .max
        case .ts(let ts): try firstUpdate(sid: sid, notBefore: ts + 1, oldest: oldest) - 1
        }
    }

    /// Finds the first update at or after a time, by binary search over the runs, because an index on times would cost
    /// every append. Returns `head + 1` if all updates are earlier.
    private func firstUpdate(sid: Int64, notBefore ts: Int64, oldest: Int64) throws(SQLiteError) -> Int64 {
        var low = oldest
        var high = try head(sid: sid, oldest: oldest) + 1
        while low < high {
            let middle = low + (high - low) / 2
            let run = try statements.runTimesAt.first(.integer(sid), .integer(middle)) { run in
                RunTimes(run).map { (first: $0.first, end: $0.end, isBefore: $0.isBefore(ts)) }
            }
            guard let run, let run, run.end > middle else { throw .damaged }
            if run.isBefore { low = run.end } else { high = run.first }
        }
        let first = try statements.runTimesAt.first(.integer(sid), .integer(low)) { run in
            RunTimes(run).flatMap { $0.end > low ? $0.firstUpdate(notBefore: ts) : nil }
        }
        return (first ?? nil) ?? low
    }

    private func forward(sid: Int64, first: Int64, limit: Int) throws(SQLiteError) -> HistoryPage {
        var page = HistoryPage(updates: [], nextSeq: nil)
        var room = ReadLimit.historyBytes
        var walker = LineWalker(from: first, buffer)
        defer { statements.runsFrom.reset() }
        try statements.runsFrom.bind([.integer(sid), .integer(first)])
        while let line = try walker.nextLine(statements.runsFrom) {
            guard page.append(line, limit: limit, room: &room) else { break }
        }
        return page
    }

    private func backward(sid: Int64, last: Int64, limit: Int) throws(SQLiteError) -> HistoryPage {
        var page = HistoryPage(updates: [], nextSeq: nil)
        var room = ReadLimit.historyBytes
        defer { statements.runsDownFrom.reset() }
        try statements.runsDownFrom.bind([.integer(sid), .integer(last)])
        while try statements.runsDownFrom.step() {
            for line in try StoredRun(statements.runsDownFrom, buffer).lines(upTo: last).reversed() {
                guard page.append(line, limit: limit, room: &room) else { return page }
            }
        }
        return page
    }
}

extension HistoryPage {
    /// Appends a line. Returns whether it fitted; if not, the page records the start of the next page.
    fileprivate mutating func append(_ line: LineWalker.Line, limit: Int, room: inout Int) -> Bool {
        let costBytes = line.bytes.count + 64
        guard updates.isEmpty || (updates.count < limit && costBytes <= room) else {
            nextSeq = updates.last?.seq
            return false
        }
        room -= costBytes
        updates.append(Update(seq: line.seq, ts: line.ts, line: Array(line.bytes)))
        return true
    }
}

extension StoredRun {
    /// Returns the run's lines up to number `last`, without copying.
    fileprivate func lines(upTo last: Int64) throws(SQLiteError) -> [LineWalker.Line] {
        var lines: [LineWalker.Line] = []
        var offset = 0
        for seq in first..<max(first, min(end - 1, last) + 1) {
            guard let next = block.endOfLine(at: offset) else { throw .damaged }
            let bytes = UnsafeRawBufferPointer(rebasing: block.bytes[offset..<(next - 1)])
            lines.append(LineWalker.Line(seq: seq, ts: times.time(of: seq), bytes: bytes))
            offset = next
        }
        return lines
    }
}
