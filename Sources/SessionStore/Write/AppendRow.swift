import SessionRecords

/// One row to insert. An item is divided into such rows.
enum AppendRow {
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
