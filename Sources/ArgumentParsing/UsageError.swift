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
    /// The command with more information on its help page.
    package let topic: CommandTopic

    package init(_ message: String, hint: String? = nil, topic: CommandTopic) {
        self.message = message
        self.hint = hint
        self.topic = topic
    }

    /// Message, hint and the pointer to the help page, one per line, without a line feed at the end.
    package var description: String {
        [message, hint, "Try '\(topic.helpCommand)'."].compactMap(\.self).joined(separator: "\n")
    }
}

/// A program and one of its subcommands, for messages.
package struct CommandTopic: Equatable, Sendable, CustomStringConvertible {
    let program: String
    /// Nil if the user did not write a subcommand.
    let subcommand: String?
    /// The subcommand that runs if the user writes none.
    let defaultSubcommand: String

    package init(program: String, subcommand: String?, defaultSubcommand: String) {
        self.program = program
        self.subcommand = subcommand
        self.defaultSubcommand = defaultSubcommand
    }

    /// `acpbridge attach`, or `acpbridge`.
    package var description: String { subcommand.map { "\(program) \($0)" } ?? program }

    /// The command that prints the help page. The page about `help` itself does not list the subcommands, so the
    /// overview is named instead.
    var helpCommand: String {
        guard let subcommand, subcommand != "help" else { return "\(program) help" }
        return "\(program) help \(subcommand)"
    }
}

/// Quotes `text` for a message. Control characters are escaped as `\u{1B}`, and long text is truncated, so that a
/// pasted file cannot flood the terminal or change its display.
package func quoted(_ text: String) -> String {
    let limitCharacters = 100
    let shown = text.prefix(limitCharacters).unicodeScalars.map { scalar in
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) ? scalar.escaped(asASCII: true) : String(scalar)
    }
    return "'\(shown.joined())\(text.count > limitCharacters ? "..." : "")'"
}
