/// Plain text for a terminal of 80 columns.
enum TextLayout {
    static let columns = 80
    /// Where the second column of a table begins, as in pages of Swift's ArgumentParser.
    static let tableColumn = 26

    /// Breaks `text` at spaces into lines that begin with `indent` spaces and end by column 80. A longer word gets a
    /// line of its own.
    static func wrapped(_ text: String, indent: Int = 0) -> [String] {
        let words = text.split(separator: " ").map(String.init)
        return wrapped(words: words, first: "", indent: indent)
    }

    /// Lines of `words`, none of which is broken. The first line begins with `first`, the others with `indent` spaces.
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

    /// A row of a table: the label, and its text in the second column, from the next line on if the label is long.
    static func row(_ label: String, _ text: String) -> [String] {
        var lines = wrapped(text, indent: tableColumn)
        let head = "  \(label)"
        guard head.count < tableColumn, !lines.isEmpty else { return [head] + lines }
        lines[0] = head + lines[0].dropFirst(head.count)
        return lines
    }

    private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
}
