import SQLite
import SessionRecords

/// An entry's number and the number of the update after it. Together they determine the timeline number of every update
/// up to the next entry. (0, 1) is the anchor before the first entry.
private struct Anchor {
    private(set) var n: Int64 = 0
    private(set) var at: Int64 = 1

    init() {}

    /// Returns nil for numbers that the log never writes: the file is damaged.
    init?(_ row: Statement) {
        (n, at) = (row.integer(0), row.integer(1))
        guard UpdateNumber.range.contains(n), UpdateNumber.range.contains(at) else { return nil }
    }

    /// - Parameter found: nil if there is no entry; nil inside for a damaged one.
    init(_ found: Anchor??) throws(SQLiteError) {
        guard let found else { return }
        guard let found else { throw .damaged }
        self = found
    }

    /// Returns the update that has timeline number `n`, or else the next one after it. `n` must not be below the
    /// entry's own number.
    func seq(of n: Int64) -> Int64 { n == self.n ? at : n + (at - self.n - 1) }

    /// Returns the timeline number of an update that is not before the entry.
    func n(of seq: Int64) -> Int64 { seq - (at - n - 1) }
}

extension Reader {
    func timelines(_ starts: [TimelineStart], limitBytes: Int) throws(SQLiteError) -> [TimelinePage?] {
        var pages: [TimelinePage?] = []
        var room = limitBytes
        for start in starts where room > 0 {
            let page = try intactTimeline(start, limitBytes: room)
            room -= page?.items.reduce(0) { $0 + $1.costBytes } ?? 0
            pages.append(page)
        }
        return pages
    }

    /// Returns nil for an unknown session, and for one that is damaged at this place.
    private func intactTimeline(_ start: TimelineStart, limitBytes: Int) throws(SQLiteError) -> TimelinePage? {
        do throws(SQLiteError) {
            guard let oldest = try oldest(sid: start.sid) else { return nil }
            return try timeline(sid: start.sid, after: start.after, oldest: oldest, limitBytes: limitBytes)
        } catch {
            guard error.isDamage else { throw error }
            return nil
        }
    }

    /// - Parameters:
    ///   - through: the last number to return.
    ///   - lineLimitBytes: Longer lines are returned empty.
    func timeline(
        sid: Int64, after: Int64, through: Int64 = .max, oldest: Int64, limitBytes: Int, lineLimitBytes: Int = .max
    ) throws(SQLiteError) -> TimelinePage {
        let first = max(min(after, .max - 1) + 1, try timelineStart(sid: sid, oldest: oldest))
        let anchor = try Anchor(statements.entryUpTo.first(.integer(sid), .integer(first)) { Anchor($0) })
        let seq = anchor.seq(of: first)
        defer {
            statements.runsFrom.reset()
            statements.entriesFrom.reset()
        }
        try statements.runsFrom.bind([.integer(sid), .integer(seq)])
        try statements.entriesFrom.bind([.integer(sid), .integer(first)])
        var page = TimelinePage(items: [], isAtEnd: false)
        do throws(SQLiteError) {
            var walker = LineWalker(from: seq, buffer, lineLimitBytes: lineLimitBytes)
            page.isAtEnd = try fill(&page, from: first, through: through, &walker, limitBytes: limitBytes)
        } catch {
            // The items before the damage are intact.
            guard error.isDamage, !page.items.isEmpty else { throw error }
        }
        return page
    }

    /// Returns the first timeline number from which everything is kept. This is the number of the entries just before
    /// the oldest update, or of that update.
    private func timelineStart(sid: Int64, oldest: Int64) throws(SQLiteError) -> Int64 {
        guard oldest > 1 else { return 1 }
        let entry = try statements.firstEntryAt.first(.integer(sid), .integer(oldest)) {
            $0.isNull(0) ? nil : $0.integer(0)
        }
        if let entry, let entry {
            guard UpdateNumber.range.contains(entry) else { throw .damaged }
            return entry
        }
        return try Anchor(
            statements.lastEntryBeforeUpdate.first(.integer(sid), .integer(oldest)) { Anchor($0) }
        ).n(of: oldest)
    }

    /// Merges updates and entries by their timeline numbers. Returns whether the page holds everything up to the end.
    private func fill(
        _ page: inout TimelinePage, from first: Int64, through last: Int64, _ walker: inout LineWalker, limitBytes: Int
    ) throws(SQLiteError) -> Bool {
        var room = limitBytes
        var n = first
        var hasEntry = try statements.entriesFrom.step()
        while n <= last {
            let item: TimelineItem
            if hasEntry && statements.entriesFrom.integer(0) == n {
                item = try storedEntry(n: n)
                hasEntry = try statements.entriesFrom.step()
            } else if let line = try walker.nextLine(statements.runsFrom) {
                item = .update(n: n, seq: line.seq, ts: line.ts, line: Array(line.bytes))
            } else {
                return true
            }
            guard page.items.isEmpty || item.costBytes <= room else { return false }
            room -= item.costBytes
            page.items.append(item)
            n += 1
        }
        return false
    }

    private func storedEntry(n: Int64) throws(SQLiteError) -> TimelineItem {
        let row = statements.entriesFrom
        let at = row.integer(1)
        guard at > 0, UpdateNumber.range.contains(at) else { throw .damaged }
        return .entry(
            n: n, seq: at - 1, ts: row.integer(2), kind: row.text(3) ?? "",
            body: Array(try row.wholeBytes(4, sum: 5)))
    }
}

extension TimelineItem {
    /// The item's bytes, with an allowance for the item itself. The allowance bounds a page of empty lines too.
    fileprivate var costBytes: Int {
        switch self {
        case .update(_, _, _, let line): line.count + 64
        case .entry(_, _, _, _, let body): body.count + 64
        }
    }
}
