import SQLite
import SessionRecords

extension WriteConnection {
    func append(
        sid: Int64, epoch: Int64, after: Int64, items: [LogItem]
    ) throws(SQLiteError) -> Answer {
        guard var session = sessions[sid] else { return .failed(.fenced(epoch: 0)) }
        guard session.epoch == epoch else { return .failed(.fenced(epoch: session.epoch)) }
        guard session.head == after else { return .failed(.gap(head: session.head)) }
        let rows: [AppendRow]
        // Rows are checked before anything is written, because a refused append must leave nothing in the shared
        // transaction.
        do throws(LogError) { rows = try AppendRow.rows(of: items) } catch { return .failed(error) }

        use.appended(by: sid)
        for row in rows { try insert(row, sid: sid, into: &session) }
        sessions[sid] = session
        if session.isSettled { try setSettled(false, sid: sid) }
        return .appended(head: session.head, timelineHead: session.timelineHead)
    }

    private func insert(_ row: AppendRow, sid: Int64, into session: inout ClaimedSession) throws(SQLiteError) {
        let next = session.head + 1
        session.count(row)
        switch row {
        case .run(let lines, let count, let ts, let earlier):
            let isOutside = outside.takes(lines)
            try statements.insertRun.run(
                .integer(sid), .integer(next), .integer(Int64(count)), .integer(ts), .optional(earlier),
                .integer(CRC32C.of(lines)),
                .optional(isOutside ? try outside.write(lines) : nil), .optional(isOutside ? Int64(lines.count) : nil),
                bytes: isOutside ? [] : lines)
        case .entry(let kind, let body, let ts):
            try statements.insertEntry.run(
                .integer(sid), .integer(session.timelineHead), .integer(next), .integer(ts), .text(kind),
                .integer(CRC32C.of(body)), bytes: body)
        }
    }
}
