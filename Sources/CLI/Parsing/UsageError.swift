/// Wrong usage of the command line: what is wrong, what may have been meant, and where to read on.
///
/// ```
/// Unknown option '--form'.
/// Did you mean '--from'?
/// Try 'acpbridge help attach'.
/// ```
public struct UsageError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong, in one sentence.
    public let message: String
    /// What to do about it, where that is known.
    public let hint: String?
    /// The subcommand whose help page says more; nil for the overview.
    public let topic: SubcommandName?

    init(_ message: String, hint: String? = nil, topic: SubcommandName?) {
        self.message = message
        self.hint = hint
        self.topic = topic
    }

    /// Message, hint and the way to the help page, a line each, without a line feed at the end.
    public var description: String {
        // The page about `help` itself tells nobody what there is.
        let page = topic == .help ? nil : topic
        let help = page.map { "acpbridge help \($0.rawValue)" } ?? "acpbridge help"
        return [message, hint, "Try '\(help)'."].compactMap(\.self).joined(separator: "\n")
    }
}

/// `text` in single quotes for a message: control characters as `\u{1B}`, and cut off where it gets long, so that a
/// pasted file cannot flood or repaint the terminal.
func quoted(_ text: String) -> String {
    let limitCharacters = 100
    let shown = text.prefix(limitCharacters).unicodeScalars.map { scalar in
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) ? scalar.escaped(asASCII: true) : String(scalar)
    }
    return "'\(shown.joined())\(text.count > limitCharacters ? "..." : "")'"
}
