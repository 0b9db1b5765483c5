extension WriteConnection {
    func append(
        sid: Int64, epoch: Int64, after: Int64, items: [LogItem]
    ) throws(LogError) -> Answer {
        guard var session = sessions[sid] else { return .failed(.fenced(epoch: 0)) }
        guard session.epoch == epoch else { return .failed(.fenced(epoch: session.epoch)) }
        guard session.head == after else { return .failed(.gap(head: session.head)) }
        let rows: [AppendRow]
        // Judged before anything is written: a refusal must leave nothing of itself in the others' transaction.
        do throws(LogError) { rows = try AppendRow.rows(of: items) } catch { return .failed(error) }

        use.appended(by: sid)
        for row in rows { try insert(row, sid: sid, into: &session) }
        sessions[sid] = session
        if session.isSettled { try setSettled(false, sid: sid) }
        return .appended(head: session.head, timelineHead: session.timelineHead)
    }

    private func insert(_ row: AppendRow, sid: Int64, into session: inout ClaimedSession) throws(LogError) {
        let next = session.head + 1
        switch row {
        case .run(let lines, let count, let ts):
            try statements.insertRun.run(
                .integer(sid), .integer(next), .integer(Int64(count)), .integer(ts), bytes: lines)
            session.head += Int64(count)
            session.timelineHead += Int64(count)
        case .entry(let kind, let body, let ts):
            session.timelineHead += 1
            try statements.insertEntry.run(
                .integer(sid), .integer(session.timelineHead), .integer(next), .integer(ts), .text(kind), bytes: body)
        }
    }
}

/// One row to insert, cut from an item.
private enum AppendRow {
    case run(lines: ArraySlice<UInt8>, count: Int, ts: Int64)
    case entry(kind: String, body: ArraySlice<UInt8>, ts: Int64)

    static func rows(of items: [LogItem]) throws(LogError) -> [AppendRow] {
        var rows: [AppendRow] = []
        rows.reserveCapacity(items.count)
        for item in items {
            switch item {
            case .entry(let kind, let body, let ts): rows.append(.entry(kind: kind, body: body[...], ts: ts))
            case .run(let lines, let count, let ts):
                for part in try RunSplitter.parts(of: lines, count: count) {
                    rows.append(.run(lines: lines[part.range], count: part.count, ts: ts))
                }
            }
        }
        return rows
    }
}
