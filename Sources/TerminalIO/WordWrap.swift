import TerminalText
import TextSearch

/// Text for people that is broken at spaces, so that the terminal does not break it inside a word.
package enum WordWrap {
    /// - Parameters:
    ///   - text: Foreign text, which becomes one line before it is broken. A text between backticks is a command and stays
    ///     whole, so that it can be copied. So does a word that is wider than a line.
    ///   - indent: The columns before the text, also before its first line, which the caller has written.
    ///   - columns: The width of the terminal; nil if the output goes elsewhere and nothing is broken.
    package static func text(_ text: String, indent: Int, columns: Int?) -> TerminalText {
        let line = TerminalFilter.oneLine(text)
        guard let columns, columns - indent >= shortestLine else { return "\(line)" }
        let margin = String(repeating: " ", count: indent)
        return lines(line, columns: columns - indent).map { line -> TerminalText in "\(line)" }
            .joined(separator: "\n\(margin)")
    }

    /// Breaks the lines of a message that are wider than the terminal. The rest of a line is indented: below the text
    /// after a label such as `Error:`, or else like the line itself.
    ///
    /// - Parameter columns: The width of the terminal; nil if the output goes elsewhere and nothing is broken.
    static func message(_ message: TerminalText, columns: Int?) -> TerminalText {
        guard let columns else { return message }
        let lines = message.text.lines
        // The text is filtered again, which changes nothing.
        return TerminalText(lines: lines.map { broken(String($0), columns: columns) }.joined(separator: "\n"))
    }

    /// Breaks a question that is wider than the terminal, if possible between its choices, which have two spaces between
    /// them. The answer is typed after the last line.
    ///
    /// - Parameter columns: The width of the terminal; nil if the output goes elsewhere and nothing is broken.
    package static func question(_ question: TerminalText, columns: Int?) -> TerminalText {
        guard let columns, columns - answerColumns >= shortestLine else { return question }
        let room = columns - answerColumns
        guard Table.width(question.text) > room else { return question }
        let end = question.text.hasSuffix(" ") ? " " : ""
        var lines: [String] = []
        for choice in question.text.dropLast(end.count).split(at: "  ") {
            if let last = lines.last, Table.width(last) + 2 + Table.width(String(choice)) <= room {
                lines[lines.count - 1] = last + "  " + choice
            } else {
                lines += self.lines(String(choice), columns: room)
            }
        }
        return TerminalText(lines: lines.joined(separator: "\n") + end)
    }

    /// Room for a short answer.
    private static let answerColumns = 4

    private static let labels = ["Error: ", "Warning: ", "acpbridge: "]

    private static func broken(_ line: String, columns: Int) -> String {
        let head = labels.first(where: line.hasPrefix) ?? String(line.prefix { $0 == " " })
        let room = columns - head.count
        guard Table.width(line) > columns, room >= shortestLine else { return line }
        let margin = String(repeating: " ", count: head.count)
        return head + lines(String(line.dropFirst(head.count)), columns: room).joined(separator: "\n" + margin)
    }

    /// Less room would put nearly every word on a line of its own.
    private static let shortestLine = 20

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

    /// Splits at spaces that are not between backticks or in a short quotation. Further spaces belong to the next word, so
    /// that a joined line is the same text.
    private static func words(_ text: String) -> [String] {
        var words = [""]
        var quote: Character?
        for (index, character) in zip(text.indices, text) {
            let word = words[words.count - 1]
            if character == quote {
                quote = nil
            } else if quote == nil, character == "`" || isOpeningQuote(index, in: text, after: word) {
                quote = character
            }
            if character == " ", quote == nil, !word.allSatisfy({ $0 == " " }) {
                words.append("")
            } else {
                words[words.count - 1].append(character)
            }
        }
        return words.filter { !$0.allSatisfy { $0 == " " } }
    }

    /// A longer quotation, such as an agent's words, is broken like other text.
    private static let longestQuotation = 60

    /// An apostrophe is not one: it is inside of a word, or no other follows it.
    private static func isOpeningQuote(_ index: String.Index, in text: String, after word: String) -> Bool {
        guard text[index] == "'", word.allSatisfy({ $0 == " " || $0 == "(" }) else { return false }
        return text[text.index(after: index)...].prefix(longestQuotation).contains("'")
    }
}
