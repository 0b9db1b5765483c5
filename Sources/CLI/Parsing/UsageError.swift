/// A usage error of the command line: the problem, a suggestion, and a pointer to the help.
///
/// ```
/// Unknown option '--form'.
/// Did you mean '--from'?
/// Try 'acpbridge help attach'.
/// ```
package struct UsageError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The problem, in one sentence.
    package let message: String
    /// The suggested solution, if known.
    package let hint: String?
    /// The subcommand whose help page has more information; nil for the overview.
    package let topic: SubcommandName?

    init(_ message: String, hint: String? = nil, topic: SubcommandName?) {
        self.message = message
        self.hint = hint
        self.topic = topic
    }

    /// Message, hint and the pointer to the help page, one per line, without a line feed at the end.
    package var description: String {
        // The page about `help` itself does not list the subcommands.
        let page = topic == .help ? nil : topic
        let help = page.map { "acpbridge help \($0.rawValue)" } ?? "acpbridge help"
        return [message, hint, "Try '\(help)'."].compactMap(\.self).joined(separator: "\n")
    }
}

/// Quotes `text` for a message. Control characters are escaped as `\u{1B}`, and long text is truncated, so that a
/// pasted file cannot flood the terminal or change its display.
func quoted(_ text: String) -> String {
    let limitCharacters = 100
    let shown = text.prefix(limitCharacters).unicodeScalars.map { scalar in
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) ? scalar.escaped(asASCII: true) : String(scalar)
    }
    return "'\(shown.joined())\(text.count > limitCharacters ? "..." : "")'"
}
