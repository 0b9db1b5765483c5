import Tinyvex

/// A session as one HTML file without scripts, links or other files. All text is escaped, and a content security policy
/// in the file forbids everything but its style. Pure.
package struct HTMLDocument: ExportDocument {
    private var transcript = Transcript()

    package init() {}

    package mutating func begin(_ head: ExportHead) -> [UInt8] {
        let title = Self.escaped(head.title ?? "Session")
        if let parent = head.parentId { return beginChild(title, head.sessionId, of: parent) }
        let facts = ["Agent \(head.agent)", "session \(head.sessionId)"] + (head.cwd.map { ["folder \($0)"] } ?? [])
        return Array(
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="referrer" content="no-referrer">
            <title>\(title)</title>
            <style>\(Self.style)</style>
            </head>
            <body>
            <header><h1>\(title)</h1><p>\(Self.escaped(facts.joined(separator: ", ")))</p></header>
            <main>

            """.utf8)
    }

    private mutating func beginChild(_ title: String, _ id: String, of parent: String) -> [UInt8] {
        let rest = Self.bytes(transcript.end())
        transcript = Transcript()
        let facts = Self.escaped("session \(id), subagent of \(parent)")
        return rest + Array("<header><h2>Subagent: \(title)</h2><p>\(facts)</p></header>\n".utf8)
    }

    package mutating func add(_ line: [UInt8]) -> [UInt8] {
        guard let entry = TimelineText(line) else { return [] }
        return Self.bytes(transcript.add(entry))
    }

    package mutating func finish() -> [UInt8] {
        Self.bytes(transcript.end()) + Array("</main>\n</body>\n</html>\n".utf8)
    }

    private static let style = """
        :root{color-scheme:light dark}
        body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:auto;padding:1rem}
        section{margin:1rem 0;padding:.5rem 1rem;border-left:3px solid #888}
        section.user{border-color:#06c}section.agent{border-color:#080}section.thought{opacity:.75}
        h2{font-size:.9rem;margin:0}time{font-weight:normal;opacity:.7}
        pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.25rem 0}
        section.text pre{font:inherit}
        """

    private static func bytes(_ blocks: [TranscriptBlock]) -> [UInt8] { blocks.flatMap { Array(text($0).utf8) } }

    private static func text(_ block: TranscriptBlock) -> String {
        switch block.content {
        case .message(let author, let text, let continues):
            section("\(name(author)) text", continues ? nil : heading(author), block.ts, text)
        case .notes(let text): section("notes", nil, block.ts, text)
        case .output(let text): section("output", nil, block.ts, text)
        }
    }

    private static func section(_ names: String, _ heading: String?, _ ts: Int64, _ text: String) -> String {
        let time = Timestamp.seconds(ts)
        let head = heading.map { "<h2>\($0) <time datetime=\"\(time)\">\(time)</time></h2>" } ?? ""
        // A parser drops one line feed after <pre>.
        return "<section class=\"\(names)\">\(head)<pre>\n\(escaped(text))</pre></section>\n"
    }

    private static func name(_ author: TranscriptBlock.Author) -> String {
        switch author {
        case .user: "user"
        case .agent: "agent"
        case .thought: "thought"
        case .subagent: "subagent"
        }
    }

    private static func heading(_ author: TranscriptBlock.Author) -> String {
        switch author {
        case .user: "User"
        case .agent: "Agent"
        case .thought: "Thought"
        case .subagent: "Message between agents"
        }
    }

    /// Text as the content of an element or of a quoted attribute. Control characters, which HTML forbids, become
    /// U+FFFD; so do bidirectional overrides, which could show text in another order.
    static func escaped(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\n", "\t": result.unicodeScalars.append(scalar)
            case "\u{202a}"..."\u{202e}", "\u{2066}"..."\u{2069}": result += "\u{fffd}"
            default:
                let isControl = scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value)
                result.unicodeScalars.append(isControl ? "\u{fffd}" : scalar)
            }
        }
        return result
    }
}
