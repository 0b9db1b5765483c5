import JSONScan
import SessionText
import TerminalText
import Tinyvex

/// Converts the lines of an NDJSON export to a file of some format, piece by piece. Pure.
package protocol ExportDocument {
    /// Returns the beginning of the file. A head with a parent begins the part of a child session instead, after the parts
    /// of all sessions before it.
    mutating func begin(_ head: ExportHead) -> [UInt8]
    /// - Parameter line: One line of the export without its line feed.
    /// - Returns: The next bytes of the file; none if more lines are needed.
    mutating func add(_ line: [UInt8]) -> [UInt8]
    /// Returns the end of the file.
    mutating func finish() -> [UInt8]
}

/// The timeline of each session as NDJSON, after an ``ExportHead``. An ``ExportEnd`` follows, if the first head announces it.
package struct NDJSONDocument: ExportDocument {
    private var lineCount: Int64 = 0
    private var announcesEnd = false

    package init() {}

    package mutating func begin(_ head: ExportHead) -> [UInt8] {
        if head.announcesEnd { announcesEnd = true }
        return add(head.line)
    }

    package mutating func add(_ line: [UInt8]) -> [UInt8] {
        lineCount += 1
        return line + [0x0a]
    }

    package mutating func finish() -> [UInt8] {
        announcesEnd ? ExportEnd(lineCount: lineCount).line + [0x0a] : []
    }
}

/// A terminal recording: ``Asciicast``. It has one session: those of its children happened at the same time.
package struct RecordingDocument: ExportDocument {
    private var renderer = SessionRenderer(hasColour: true, remembers: true, showsContents: true)
    private var title: String?
    /// The time of the first entry, in milliseconds since 1970.
    private var start: Int64?
    /// The time of a recording must not go back.
    private var elapsed: Int64 = 0

    package init() {}

    package mutating func begin(_ head: ExportHead) -> [UInt8] {
        title = head.title
        return []
    }

    package mutating func add(_ line: [UInt8]) -> [UInt8] {
        guard let entry = TimelineText(line) else { return [] }
        var bytes: [UInt8] = []
        if start == nil { bytes = Asciicast.head(startTs: entry.ts, title: title) + [0x0a] }
        let start = start ?? entry.ts
        self.start = start
        elapsed = max(elapsed, entry.ts - start)
        let shown = renderer.render(entry.kind, entry.content)
        return shown.isEmpty ? bytes : bytes + Asciicast.output(shown, atMilliseconds: elapsed) + [0x0a]
    }

    package mutating func finish() -> [UInt8] {
        // A recording without entries still has its first line.
        start == nil ? Asciicast.head(startTs: 0, title: title) + [0x0a] : []
    }
}

/// One entry of a timeline, read from a line of an export.
struct TimelineText {
    let kind: TimelineEntryKind
    /// Milliseconds since 1970.
    let ts: Int64
    /// The notification of an update, or the data of another entry.
    let content: JSONValue

    /// Nil for a line that is not an entry.
    init?(_ line: [UInt8]) {
        guard let value = try? JSONValue(validating: line),
            let kind = value["kind"]?.stringValue.flatMap(TimelineEntryKind.init),
            let ts = value["ts"]?.stringValue.flatMap(Timestamp.parse),
            let content = kind == .update ? value["notification"] : value["data"]
        else { return nil }
        self.kind = kind
        self.ts = ts
        self.content = content
    }
}
