import TerminalText
import TextSearch

/// The unfinished lines of subagents, which can write at the same time. A line is shown when it is complete, so that lines of
/// several subagents do not mix. Pure.
struct SubagentLines: Sendable {
    struct Line: Equatable, Sendable {
        let session: String
        /// The message that the line is a part of. The next text of this message continues the line.
        let message: String
        let style: TerminalText.Style
        var text: String
    }

    /// 1 KiB of an unfinished line. A longer line is broken at a space.
    private static let limitBytes = 1 << 10
    /// 64 subagents, as many as a command follows. The line that began first is shown to make room.
    private static let limit = 64
    private var open: [Line] = []

    /// True if the subagent's unfinished line, which can be empty, belongs to this message.
    func continues(_ message: String, of session: String) -> Bool {
        open.contains { $0.session == session && $0.message == message }
    }

    /// Adds text, and returns the lines that are complete. Empty lines are left out.
    mutating func add(_ text: String, _ message: String, _ style: TerminalText.Style, of session: String) -> [Line] {
        var done = continues(message, of: session) ? [] : take(session)
        var line = Line(session: session, message: message, style: style, text: "")
        if let index = open.firstIndex(where: { $0.session == session }) { line = open.remove(at: index) }
        let parts = text.lines
        for (number, part) in parts.enumerated() {
            line.text += part
            done += Self.cut(&line)
            guard number < parts.count - 1 else { break }
            done.append(line)
            line.text = ""
        }
        open.append(line)
        if open.count > Self.limit { done.append(open.removeFirst()) }
        return done.filter { !$0.text.isEmpty }
    }

    /// Returns the subagent's unfinished line, if it has text.
    mutating func take(_ session: String) -> [Line] {
        defer { open.removeAll { $0.session == session } }
        return open.filter { $0.session == session && !$0.text.isEmpty }
    }

    /// Returns all unfinished lines that have text.
    mutating func takeAll() -> [Line] {
        defer { open = [] }
        return open.filter { !$0.text.isEmpty }
    }

    /// Removes the beginning of a line that is too long, in lines that end at the limit or at the last space before it.
    private static func cut(_ line: inout Line) -> [Line] {
        var lines: [Line] = []
        var rest = line.text[...]
        while rest.utf8.count > limitBytes {
            let end = end(ofLineIn: rest)
            var part = line
            part.text = String(rest[..<end])
            lines.append(part)
            rest = rest[end...]
        }
        if !lines.isEmpty { line.text = String(rest) }
        return lines
    }

    private static func end(ofLineIn text: Substring) -> String.Index {
        var end = text.utf8.index(text.startIndex, offsetBy: limitBytes)
        // The limit can be inside a character.
        let scalars = text.unicodeScalars
        while UTF8.isContinuation(text.utf8[end]) { end = text.utf8.index(before: end) }
        return scalars[..<end].lastIndex(of: " ").map { scalars.index(after: $0) } ?? end
    }
}
