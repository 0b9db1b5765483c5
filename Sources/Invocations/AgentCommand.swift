import ArgumentParsing

/// An agent's command and its arguments, written as one text: `gemini --acp`, `node "my agent.js"`.
///
/// The text is divided at blanks as in a shell: quotes of both kinds and `\` keep blanks in a word. Nothing is expanded, and no
/// shell runs.
package struct AgentCommand: Equatable, Sendable {
    /// Not empty, and the first word is not empty.
    package let words: [String]
}

extension AgentCommand: ArgumentValue {
    package static let expectation = "a program and its arguments, with both quotes of each pair"

    package init?(argument: String) {
        guard let words = ShellWords.split(argument), words.first?.isEmpty == false else { return nil }
        self.words = words
    }
}

/// Divides a text into words, as a POSIX shell does it, but without expansions.
private enum ShellWords {
    /// Returns nil if a quote is open at the end, or if nothing follows the last `\`.
    static func split(_ text: String) -> [String]? {
        var words: [String] = []
        // Nil between words: `''` is a word, too.
        var word: String?
        var quote: Character?
        var rest = text[...]
        while let character = rest.popFirst() {
            switch (character, quote) {
            case (let end, let open?) where end == open: quote = nil
            case ("\\", nil), ("\\", "\""):
                guard let next = rest.popFirst() else { return nil }
                let isKept = quote != nil && !"\"\\$`".contains(next)
                word = (word ?? "") + (isKept ? "\\" : "") + String(next)
            case ("'", nil), ("\"", nil):
                quote = character
                word = word ?? ""
            case (" ", nil), ("\t", nil), ("\n", nil):
                if let word { words.append(word) }
                word = nil
            default: word = (word ?? "") + String(character)
            }
        }
        if let word { words.append(word) }
        return quote == nil ? words : nil
    }
}
