/// Fragments of roff. Characters that roff interprets are escaped.
///
/// Source: groff_char(7), man(7).
enum Roff {
    /// One line of text. It is never read as a request, and every character is literal.
    static func text(_ line: String) -> String {
        let escaped = line.map(escape).joined()
        return escaped.hasPrefix(".") ? "\\&\(escaped)" : escaped
    }

    /// An argument of a macro, in quotes.
    static func argument(_ text: String) -> String { "\"\(text.map(escape).joined())\"" }

    /// Paragraphs after a heading.
    static func paragraphs(_ texts: [String]) -> [String] {
        Array(texts.map { [text($0)] }.joined(separator: [".PP"]))
    }

    /// An item of a list: a bold term and its description.
    static func item(_ term: String, _ meaning: String) -> [String] { [".TP", bold(term), text(meaning)] }

    /// `acpbridge` and the parts of a usage line, on one line.
    static func synopsis(_ parts: [String]) -> String {
        ([bold("acpbridge")] + parts.map(text)).joined(separator: " ")
    }

    private static func bold(_ words: String) -> String { "\\fB\(words.map(escape).joined())\\fR" }

    private static func escape(_ character: Character) -> String {
        switch character {
        case "\\": "\\e"
        case "-": "\\-"
        case "'": "\\(aq"
        case "\"": "\\(dq"
        case "`": "\\(ga"
        case "^": "\\(ha"
        case "~": "\\(ti"
        default: String(character)
        }
    }
}
