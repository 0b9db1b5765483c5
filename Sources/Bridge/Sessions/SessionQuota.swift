import SessionLog

/// How much of one session is in the log, and what has to go so that it stays below a limit. Pure.
///
/// It is counted in parts, each a sixteenth of the limit at most unless a single run is more: so a trim takes that much
/// at once, and there are few of them.
struct SessionQuota {
    private let limitBytes: Int
    private var parts: [PartSize] = []
    private var totalBytes = 0
    /// What the log had before is counted, or being counted.
    private(set) var knowsPast = false

    init(limitBytes: Int) { self.limitBytes = limitBytes }

    var partBytes: Int { limitBytes / 16 }

    /// - Returns: up to which update the oldest are to go; nil where all can stay.
    mutating func stored(_ items: [LogItem], head: Int64) -> Int64? {
        var last = head - items.reduce(0) { $0 + Int64($1.lineCount) }
        for item in items {
            last += Int64(item.lineCount)
            totalBytes += item.byteCount
            parts.join(PartSize(last: last, bytes: item.byteCount), to: partBytes)
        }
        return excess()
    }

    /// - Parameter past: what the log had when the session was taken up. Some of it may have been stored meanwhile, and
    ///   is counted twice then: a little less is kept.
    mutating func found(_ past: [PartSize]) -> Int64? {
        knowsPast = true
        let first = parts.first?.last ?? .max
        let older = past.filter { $0.last < first }
        parts = older + parts
        totalBytes += older.reduce(0) { $0 + $1.bytes }
        return excess()
    }

    /// The newest updates stay, whatever their size.
    private mutating func excess() -> Int64? {
        let head = parts.last?.last ?? 0
        var count = 0
        while totalBytes > limitBytes, count < parts.count - 1, parts[count].last < head {
            totalBytes -= parts[count].bytes
            count += 1
        }
        guard count > 0 else { return nil }
        defer { parts.removeFirst(count) }
        return parts[count - 1].last
    }
}
