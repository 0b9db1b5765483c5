import SQLite
import SessionRecords

extension Reader {
    /// Returns lines as they lie in the file, joined over runs and cut at the byte limit. Every replay uses this
    /// function, so a run that fits is copied whole and not examined.
    func page(sid: Int64, from: Int64, limitBytes: Int) throws(SQLiteError) -> UpdatePage {
        var page = UpdatePage(first: from, count: 0, lines: [], isAtEnd: false)
        defer { statements.runsFrom.reset() }
        try statements.runsFrom.bind([.integer(sid), .integer(from)])
        do throws(SQLiteError) {
            page.isAtEnd = try fill(&page, limitBytes)
        } catch {
            // The lines before the damage are intact.
            guard error.isDamage, page.count > 0 else { throw error }
        }
        return page
    }

    /// Fills the page. Returns whether it holds everything up to the end.
    private func fill(_ page: inout UpdatePage, _ limitBytes: Int) throws(SQLiteError) -> Bool {
        while try statements.runsFrom.step() {
            guard page.lines.count < limitBytes else { return false }
            let run = try StoredRun(statements.runsFrom, buffer)
            guard run.end > page.last + 1 else { continue }
            guard try page.append(run, limitBytes: limitBytes) else { return false }
        }
        return true
    }
}

extension UpdatePage {
    /// Adds the lines of a run that fit, and at least one line to an empty page. Returns whether all remaining lines of
    /// the run fitted.
    fileprivate mutating func append(_ run: StoredRun, limitBytes: Int) throws(SQLiteError) -> Bool {
        let next = last + 1
        let start = try run.offset(of: next)
        let room = limitBytes - lines.count
        let block = run.block
        if block.bytes.count - start <= room {
            lines.append(contentsOf: block.bytes[start...])
            count += Int(run.end - next)
            return true
        }
        var end = block.endOfLines(from: start, limit: room)
        if end == start && count == 0 { end = block.endOfLine(at: start) ?? start }
        lines.append(contentsOf: block.bytes[start..<end])
        count += block.lineCount(in: start..<end)
        return end == block.bytes.count
    }
}
