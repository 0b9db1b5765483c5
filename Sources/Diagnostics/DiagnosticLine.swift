import JSONScan
import TerminalText
import Tinyvex

/// The form of the lines in the daemon's own log.
package enum DiagnosticFormat: String, CaseIterable, Sendable {
    /// logfmt: `time=2026-11-21T10:30:00.123Z level=info event=agent_started agent=codex pid=4711`
    case text
    /// One JSON object per line, with the same names.
    case json
    /// The fields of systemd's journal: `MESSAGE`, `PRIORITY`, and each field with `ACPBRIDGE_` before its name.
    case journald
}

/// A name and a value in a line of the daemon's own log.
struct DiagnosticField: Sendable {
    enum Value: Sendable {
        case text(String)
        case integer(Int64)
    }

    /// A word of lower-case letters, digits and underscores.
    let name: String
    let value: Value

    static func text(_ name: String, _ value: String) -> Self { Self(name: name, value: .text(value)) }

    static func integer(_ name: String, _ value: Int64) -> Self { Self(name: name, value: .integer(value)) }
}

/// A line of the daemon's own log. Pure.
///
/// The line is safe for a terminal: it passes ``TerminalFilter``, which makes all control characters visible.
struct DiagnosticLine: Sendable {
    /// Milliseconds since 1970.
    let date: Int64
    let level: DiagnosticLevel
    let event: String
    let fields: [DiagnosticField]

    /// With the line feed, and one byte less than Linux's PIPE_BUF: a pipe accepts the whole line, and a line feed
    /// before it, or nothing, so the lines of several processes never mix. Fields that do not fit are omitted, and the
    /// line ends with `cut=1`.
    static let limitBytes = 4095
    /// 1 KiB for the text of one field, before it is quoted. The rest is replaced by `…`.
    static let textLimitBytes = 1024

    func bytes(_ format: DiagnosticFormat) -> [UInt8] {
        if format == .journald { return journalEntry }
        let head: [DiagnosticField] = [
            .text("time", Timestamp.milliseconds(date)), .text("level", level.rawValue), .text("event", event),
        ]
        let (opening, separator, closing) = format == .json ? ("{", ",", "}\n") : ("", " ", "\n")
        let cut = Self.encoded(.integer("cut", 1), format)
        let room = Self.limitBytes - opening.utf8.count - closing.utf8.count - separator.utf8.count - cut.count
        var line: [UInt8] = []
        for field in head + fields {
            let encoded = Self.encoded(field, format)
            let isFirst = line.isEmpty
            guard line.count + encoded.count + (isFirst ? 0 : 1) <= room else {
                line += Array(separator.utf8) + cut
                break
            }
            if !isFirst { line += Array(separator.utf8) }
            line += encoded
        }
        return Array(opening.utf8) + line + Array(closing.utf8)
    }

    /// No value contains a line feed, so each field is a line. An event has at most 8 fields, which take up to 12 KiB.
    private var journalEntry: [UInt8] {
        let words = fields.map { String(decoding: Self.encoded($0, .text), as: UTF8.self) }
        var entry: [(name: String, value: String)] = [
            ("MESSAGE", ([event] + words).joined(separator: " ")), ("PRIORITY", level.syslogPriority),
            ("SYSLOG_IDENTIFIER", "acpbridge"), ("ACPBRIDGE_EVENT", event),
        ]
        for field in fields {
            let value =
                switch field.value {
                case .text(let text): Self.shown(text)
                case .integer(let number): String(number)
                }
            entry.append(("ACPBRIDGE_" + field.name.uppercased(), value))
        }
        return entry.flatMap { Array("\($0.name)=\($0.value)\n".utf8) }
    }

    private static func encoded(_ field: DiagnosticField, _ format: DiagnosticFormat) -> [UInt8] {
        switch (format, field.value) {
        case (.text, .integer(let number)), (.journald, .integer(let number)): Array("\(field.name)=\(number)".utf8)
        case (.text, .text(let text)), (.journald, .text(let text)): Array("\(field.name)=\(quoted(shown(text)))".utf8)
        case (.json, .integer(let number)): Array("\"\(field.name)\":\(number)".utf8)
        case (.json, .text(let text)): Array("\"\(field.name)\":".utf8) + JSONWriter.scalar(shown(text))
        }
    }

    /// The text on one line, without control characters. The text is cut first to limit the work, and again because
    /// the filter makes it longer.
    private static func shown(_ text: String) -> String { cut(TerminalFilter.oneLine(cut(text))) }

    private static func cut(_ text: String) -> String {
        guard text.utf8.count > textLimitBytes else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: textLimitBytes - "…".utf8.count)
        while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
        return text[..<end] + "…"
    }

    private static let specials = Array(#""=\"#.utf8)

    /// Quotes a value that contains a space or a character with a meaning in logfmt.
    private static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { $0 > 0x20 && !specials.contains($0) }
        if isPlain, !text.isEmpty { return text }
        var quoted = "\""
        for character in text.unicodeScalars {
            if character == "\"" || character == "\\" { quoted.unicodeScalars.append("\\") }
            quoted.unicodeScalars.append(character)
        }
        return quoted + "\""
    }
}
