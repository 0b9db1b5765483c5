import ArgumentParsing

/// Plain text for a terminal of 80 columns.
enum TextLayout {
    static let columns = 80
    /// The column at which the second column of a table begins, as in Swift's ArgumentParser.
    static let tableColumn = 26

    /// Breaks `text` at spaces into lines that begin with `indent` spaces and have at most 80 columns. A word that
    /// is too long gets its own line.
    static func wrapped(_ text: String, indent: Int = 0) -> [String] {
        let words = text.split(separator: " ").map(String.init)
        return wrapped(words: words, first: "", indent: indent)
    }

    /// Arranges `words` into lines without breaking a word. The first line begins with `first`, the others with
    /// `indent` spaces.
    static func wrapped(words: [String], first: String, indent: Int) -> [String] {
        var lines: [String] = []
        var line = first.isEmpty ? spaces(indent) : first
        var isBlank = first.isEmpty
        for word in words {
            if !isBlank, line.count + 1 + word.count > columns {
                lines.append(line)
                line = spaces(indent)
                isBlank = true
            }
            line += isBlank ? word : " \(word)"
            isBlank = false
        }
        return lines + [line]
    }

    /// A row of a table: the label, with its text in the second column. After a long label, the text begins on the
    /// next line.
    static func row(_ label: String, _ text: String) -> [String] {
        var lines = wrapped(text, indent: tableColumn)
        let head = "  \(label)"
        guard head.count < tableColumn, !lines.isEmpty else { return [head] + lines }
        lines[0] = head + lines[0].dropFirst(head.count)
        return lines
    }

    private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
}
