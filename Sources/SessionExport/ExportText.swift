import JSONScan
import SessionRecords
import SessionText
import TerminalText
import Tinyvex

/// Converts entries of a timeline to the text of an export. Pure.
///
/// The text grows with one page of the log. A quoted line is at most six times as long as the original.
package struct ExportText {
    package private(set) var bytes: [UInt8] = []
    package private(set) var cursor: ExportCursor
    private let format: ExportRequest.Format
    /// Has no memory, because a page does not know the entries of earlier pages.
    private var renderer = SessionRenderer(hasColour: true, remembers: false, showsContents: true)

    package init(format: ExportRequest.Format, cursor: ExportCursor) {
        self.format = format
        self.cursor = cursor
        (renderer.line, renderer.message, renderer.change) = (cursor.line, cursor.message, cursor.change)
    }

    /// - Parameter title: The session's title, for the header of a recording.
    package mutating func add(_ items: [TimelineItem], title: String?) {
        for item in items { add(item, title: title) }
    }

    package mutating func add(_ item: TimelineItem, title: String?) { add(Entry(item), title) }

    private mutating func add(_ entry: Entry, _ title: String?) {
        begin(entry, title)
        reportLost(before: entry)
        cursor.elapsed = max(cursor.elapsed, max(0, entry.ts) - (cursor.startTs ?? 0))
        switch format {
        case .ndjson:
            append(EnvelopeLine.entry(seq: entry.seq, ts: entry.ts, kind: entry.kind, content: entry.content))
        case .asciicast:
            let shown = render(entry)
            if !shown.isEmpty { append(Asciicast.output(shown, atMilliseconds: cursor.elapsed)) }
        }
        cursor.after = entry.n
        cursor.lastSeq = entry.seq
    }

    private mutating func render(_ entry: Entry) -> TerminalText {
        guard let kind = TimelineEntryKind(rawValue: entry.kind),
            let content = try? JSONValue(validating: entry.content)
        else { return "" }
        defer { (cursor.line, cursor.message, cursor.change) = (renderer.line, renderer.message, renderer.change) }
        return renderer.render(kind, content)
    }

    private mutating func begin(_ entry: Entry, _ title: String?) {
        guard cursor.startTs == nil else { return }
        cursor.startTs = max(0, entry.ts)
        if format == .asciicast { append(Asciicast.head(startTs: entry.ts, title: title)) }
    }

    /// Reports the updates that retention has deleted, if the format has an entry for them.
    private mutating func reportLost(before entry: Entry) {
        let next = entry.isUpdate ? entry.seq - 1 : entry.seq
        guard format == .ndjson, next > cursor.lastSeq else { return }
        append(EnvelopeLine.skipped(fromSeq: cursor.lastSeq + 1, toSeq: next, reason: SkipReason.retention.rawValue))
    }

    private mutating func append(_ line: [UInt8]) {
        bytes += line
        bytes.append(UInt8(ascii: "\n"))
    }

    private struct Entry {
        let n: Int64
        let seq: Int64
        let ts: Int64
        let kind: String
        let content: [UInt8]

        var isUpdate: Bool { kind == TimelineEntryKind.update.rawValue }

        init(_ item: TimelineItem) {
            switch item {
            case .update(let n, let seq, let ts, let line):
                (self.n, self.seq, self.ts, kind, content) = (n, seq, ts, TimelineEntryKind.update.rawValue, line)
            case .entry(let n, let seq, let ts, let kind, let body):
                (self.n, self.seq, self.ts, self.kind, content) = (n, seq, ts, kind, body)
            }
        }
    }
}
