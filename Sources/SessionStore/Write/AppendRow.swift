import SessionRecords

/// One row to insert. The items of an append are divided into such rows, and small ones joined.
enum AppendRow {
    /// See ``Schema`` for `ts` and `earlier`.
    case run(lines: ArraySlice<UInt8>, count: Int, ts: Int64, earlier: [UInt8]?)
    case entry(kind: String, body: ArraySlice<UInt8>, ts: Int64)

    static func rows(of items: [LogItem]) throws(LogError) -> [AppendRow] {
        var rows: [AppendRow] = []
        rows.reserveCapacity(items.count)
        var small = SmallRuns()
        func endRow() { if let row = small.takeRow() { rows.append(row) } }
        for item in items {
            switch item {
            case .entry(let kind, let body, let ts):
                endRow()
                rows.append(.entry(kind: kind, body: body[...], ts: ts))
            case .run(let lines, let count, let ts):
                let parts = try RunSplitter.parts(of: lines, count: count)
                if parts.isEmpty || small.add(lines, count: count, ts: ts) { continue }
                endRow()
                if small.add(lines, count: count, ts: ts) { continue }
                for part in parts {
                    rows.append(.run(lines: lines[part.range], count: part.count, ts: ts, earlier: nil))
                }
            }
        }
        endRow()
        return rows
    }
}
