/// Counts how much of one session is in the log, and which updates must be deleted to stay below a limit. Pure.
///
/// The size is counted in parts. A part is at most a sixteenth of the limit, unless a single run is larger. A trim
/// therefore deletes a whole part at once, and trims are rare.
package struct SessionQuota: Sendable {
    private let limitBytes: Int
    private var parts: [PartSize] = []
    private var totalBytes = 0
    /// True if the data that the log had before is counted, or is being counted.
    package private(set) var knowsPast = false

    package init(limitBytes: Int) { self.limitBytes = limitBytes }

    package var partBytes: Int { limitBytes / 16 }

    /// - Returns: the number through which the oldest updates must be deleted; nil if all updates can stay.
    package mutating func stored(_ items: [LogItem], head: Int64) -> Int64? {
        var last = head - items.reduce(0) { $0 + Int64($1.lineCount) }
        for item in items {
            last += Int64(item.lineCount)
            totalBytes += item.byteCount
            parts.join(PartSize(last: last, bytes: item.byteCount), to: partBytes)
        }
        return excess()
    }

    /// - Parameter past: the sizes that the log had when the session was claimed. Data stored in the meantime can be
    ///   included and is then counted twice, so that a little less is kept.
    package mutating func found(_ past: [PartSize]) -> Int64? {
        knowsPast = true
        let first = parts.first?.last ?? .max
        let older = past.filter { $0.last < first }
        parts = older + parts
        totalBytes += older.reduce(0) { $0 + $1.bytes }
        return excess()
    }

    /// The newest updates stay, regardless of their size.
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
