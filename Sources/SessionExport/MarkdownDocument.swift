import TextSearch
import Tinyvex

/// A session as Markdown (CommonMark). Messages of agents are Markdown and keep their text; everything else is quoted or
/// fenced, so that it has no other meaning. Pure.
package struct MarkdownDocument: ExportDocument {
    private var transcript = Transcript()

    package init() {}

    package mutating func begin(_ head: ExportHead) -> [UInt8] {
        if let parent = head.parentId { return beginChild(head, of: parent) }
        let facts = ["agent \(head.agent)", "session \(head.sessionId)"] + (head.cwd.map { ["folder \($0)"] } ?? [])
        return Array(
            "# \(Self.escaped(head.title ?? "Session"))\n\n\(Self.escaped(facts.joined(separator: ", ")))\n".utf8)
    }

    private mutating func beginChild(_ head: ExportHead, of parent: String) -> [UInt8] {
        let rest = finish()
        transcript = Transcript()
        let facts = "session \(head.sessionId), subagent of \(parent)"
        return rest
            + Array("\n# Subagent: \(Self.escaped(head.title ?? "Session"))\n\n\(Self.escaped(facts))\n".utf8)
    }

    package mutating func add(_ line: [UInt8]) -> [UInt8] {
        guard let entry = TimelineText(line) else { return [] }
        return transcript.add(entry).flatMap { Array(Self.text($0).utf8) }
    }

    package mutating func finish() -> [UInt8] { transcript.end().flatMap { Array(Self.text($0).utf8) } }

    private static func text(_ block: TranscriptBlock) -> String {
        switch block.content {
        case .message(.agent, let text, continues: true): "\n\(text)\n"
        case .message(_, let text, continues: true): "\n\(quoted(text))\n"
        case .message(.user, let text, _): "\n## User, \(Timestamp.seconds(block.ts))\n\n\(quoted(text))\n"
        case .message(.agent, let text, _): "\n## Agent, \(Timestamp.seconds(block.ts))\n\n\(text)\n"
        case .message(.thought, let text, _): "\n*Thought:*\n\n\(quoted(text))\n"
        case .message(.subagent, let text, _): "\n*Message between agents:*\n\n\(quoted(text))\n"
        case .notes(let text), .output(let text): "\n\(fenced(text))\n"
        }
    }

    private static func quoted(_ text: String) -> String {
        text.lines.map { $0.isEmpty ? ">" : "> \($0)" }.joined(separator: "\n")
    }

    /// A fence longer than each run of backquotes in the text. Source: CommonMark 0.31, section 4.5.
    private static func fenced(_ text: String) -> String {
        var (longest, run) = (0, 0)
        for byte in text.utf8 {
            run = byte == UInt8(ascii: "`") ? run + 1 : 0
            longest = max(longest, run)
        }
        let fence = String(repeating: "`", count: max(3, longest + 1))
        return "\(fence)text\n\(text.utf8.last == UInt8(ascii: "\n") ? String(text.dropLast()) : text)\n\(fence)"
    }

    /// One line in which no character has a meaning in Markdown. Source: CommonMark 0.31, section 2.4.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            guard scalar.value >= 0x20 else {
                result += " "
                continue
            }
            if "\\`*_{}[]<>()#+-.!|~&".unicodeScalars.contains(scalar) { result += "\\" }
            result.unicodeScalars.append(scalar)
        }
        return result
    }
}
