import TerminalText

/// Text for people that is broken at spaces, so that the terminal does not break it inside a word.
package enum WordWrap {
    /// - Parameters:
    ///   - text: Foreign text, which becomes one line before it is broken. A text between backticks is a command and stays
    ///     whole, so that it can be copied. So does a word that is wider than a line.
    ///   - indent: The columns before the text, also before its first line, which the caller has written.
    ///   - columns: The width of the terminal; nil if the output goes elsewhere and nothing is broken.
    package static func text(_ text: String, indent: Int, columns: Int?) -> TerminalText {
        let line = TerminalFilter.oneLine(text)
        // Less room would put nearly every word on a line of its own.
        guard let columns, columns - indent >= 20 else { return "\(line)" }
        let margin = String(repeating: " ", count: indent)
        return lines(line, columns: columns - indent).map { line -> TerminalText in "\(line)" }
            .joined(separator: "\n\(margin)")
    }

    static func lines(_ text: String, columns: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in words(text) {
            if !line.isEmpty, Table.width(line) + 1 + Table.width(word) > columns {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? word : " " + word
        }
        return lines + (line.isEmpty ? [] : [line])
    }

    /// Splits at spaces that are not between backticks.
    private static func words(_ text: String) -> [String] {
        var words = [""]
        var isQuoted = false
        for character in text {
            if character == "`" { isQuoted.toggle() }
            if character == " ", !isQuoted {
                words.append("")
            } else {
                words[words.count - 1].append(character)
            }
        }
        return words.filter { !$0.isEmpty }
    }
}
