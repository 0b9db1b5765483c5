/// Makes a text only when a page needs it, because each start of the program makes the table of options.
package typealias HelpText = @Sendable () -> String

/// An option, as described to the parser, help, man page and completions.
package struct OptionDescription: Sendable {
    /// The name, without dashes.
    package var name: String
    package var shortName: Character?
    /// The name of the value in the help, such as `HOST:PORT`; nil for a flag.
    package var valueName: String?
    var form = ValueForm.none
    /// Nil means the choices, if there are any.
    var ownCompletion: CompletionHint?
    package var isRepeatable = false
    /// Omitted from all pages and completions, because only acpbridge itself uses the option.
    package var isHidden = false
    /// The value can contain a password.
    package var isSecret = false
    /// The default, if it is not obvious.
    package var defaultText: String?
    let makeHelp: HelpText

    /// One or two sentences.
    package var help: String { makeHelp() }

    /// The end of the sentence "expected …" in the error for an invalid value.
    package var expectation: String { form.expectation }

    /// Values to offer; the list can be incomplete.
    package var choices: [String] { form.choices }

    package var completion: CompletionHint { ownCompletion ?? (choices.isEmpty ? .nothing : .choice) }

    package var longName: String { "--\(name)" }

    /// `--listen HOST:PORT`, or `--json`.
    package var synopsis: String { valueName.map { "\(longName) \($0)" } ?? longName }

    /// `-h, --help`.
    package var label: String { shortName.map { "-\($0), \(synopsis)" } ?? synopsis }

    package var helpWithDefault: String { defaultText.map { "\(help) (default: \($0))" } ?? help }

    /// The right form of this invalid value.
    package func correction(of text: String) -> ValueCorrection { form.correction(of: text) }

    /// - Parameter written: The option with its dashes.
    package func matches(_ written: String) -> Bool {
        written == longName || shortName.map { written == "-\($0)" } ?? false
    }
}

/// The kind of completion for a value.
package enum CompletionHint: Sendable {
    case nothing
    /// One of `choices`.
    case choice
    /// `choices`, separated by commas.
    case list
    case file
    /// One of the values that the program itself lists under this name when the shell asks for them.
    case listed(String)
    /// A program and its arguments.
    case command
}
