/// An option, as described to the parser, help, man page and completions.
struct OptionDescription: Sendable {
    /// The name, without dashes.
    var name: String
    var shortName: Character?
    /// The name of the value in the help, such as `HOST:PORT`; nil for a flag.
    var valueName: String?
    /// The end of the sentence "expected …" in the error for an invalid value.
    var expectation = ""
    /// Values to offer; the list can be incomplete.
    var choices: [String] = []
    var completion = Completion.nothing
    var isRepeatable = false
    /// Omitted from all pages and completions, because only acpbridge itself uses the option.
    var isHidden = false
    /// The default, if it is not obvious.
    var defaultText: String?
    /// One or two sentences.
    var help: String

    var longName: String { "--\(name)" }

    /// `--listen HOST:PORT`, or `--json`.
    var synopsis: String { valueName.map { "\(longName) \($0)" } ?? longName }

    /// `-h, --help`.
    var label: String { shortName.map { "-\($0), \(synopsis)" } ?? synopsis }

    var helpWithDefault: String { defaultText.map { "\(help) (default: \($0))" } ?? help }

    /// - Parameter written: The option with its dashes.
    func matches(_ written: String) -> Bool {
        written == longName || shortName.map { written == "-\($0)" } ?? false
    }
}

/// The kind of completion for a value.
enum Completion: Sendable {
    case nothing
    /// One of `choices`.
    case choice
    /// `choices`, separated by commas.
    case list
    case file
    /// A name that `acpbridge agents` lists.
    case agent
    /// `latest`, or an id that `acpbridge sessions` lists.
    case session
    /// A program and its arguments.
    case command
}
