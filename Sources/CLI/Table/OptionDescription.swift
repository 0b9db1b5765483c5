/// What parser, help, man page and completions know of an option.
struct OptionDescription: Sendable {
    /// Without its dashes.
    var name: String
    var shortName: Character?
    /// How help names the value, such as `HOST:PORT`; nil for a flag.
    var valueName: String?
    /// Ends "expected …" where a value is refused.
    var expectation = ""
    /// Values to offer; not always all there are.
    var choices: [String] = []
    var completion = Completion.nothing
    var isRepeatable = false
    /// In no page and no completion, for acpbridge's own use.
    var isHidden = false
    /// What happens without the option, where that needs saying.
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

/// What a shell offers for a value.
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
