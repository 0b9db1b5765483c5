/// One subcommand of the table, from which everything that is known of it is made.
///
/// To add an option, add a row to the subcommand's `options` and a property to its options structure. To add a
/// subcommand, add a case to `SubcommandName` and `Invocation`, and follow the compiler.
struct Subcommand: Sendable {
    let name: SubcommandName
    /// One line for lists, without a full stop at its end.
    let abstract: String
    /// Paragraphs of help.
    let discussion: [String]
    let operands: [OperandDescription]
    let options: [OptionDescription]
    let examples: [Example]
    /// Takes the words after the subcommand's name, and that name where it was written.
    let parse: @Sendable (ArraySlice<String>, SubcommandName?) throws(UsageError) -> Invocation

    init<Values: Sendable>(
        _ name: SubcommandName, abstract: String, discussion: [String] = [], syntax: Syntax<Values>,
        examples: [Example]
    ) {
        self.name = name
        self.abstract = abstract
        self.discussion = discussion
        self.operands = syntax.operands.map(\.description)
        self.options = syntax.options.map(\.description)
        self.examples = examples
        self.parse = { (words, topic) throws(UsageError) in
            try ArgumentReader(syntax, words: words, topic: topic).read()
        }
    }

    var visibleOptions: [OptionDescription] { options.filter { !$0.isHidden } }

    /// The parts of the usage line after `acpbridge`, none of which is to be broken: `attach`, `SESSION`,
    /// `[--no-follow]`.
    var synopsis: [String] {
        let flags = visibleOptions.filter { !$0.isCommon }
            .map { $0.isRepeatable ? "[\($0.synopsis)]..." : "[\($0.synopsis)]" }
        let first = operands.filter(\.isRequired).map(\.synopsis)
        let last = operands.filter { !$0.isRequired }.map(\.synopsis)
        return [name == .stdio ? "[stdio]" : name.rawValue] + first + flags + last
    }
}

/// A command to try, and what it does.
struct Example: Sendable {
    /// Ends in a colon's place: "Follow the newest session".
    let purpose: String
    let command: String
}

/// The grammar of one subcommand, with where its values go.
struct Syntax<Values: Sendable>: Sendable {
    let initial: Values
    let options: [Option<Values>]
    let operands: [Operand<Values>]
    /// Whether, given what was read so far, an option that is not in the table is an operand.
    let passesOnUnknownOptions: @Sendable (Values) -> Bool
    /// Checks what only the whole can tell, and makes the invocation. The name is the one for errors.
    let finish: @Sendable (Values, SubcommandName?) throws(UsageError) -> Invocation

    init(
        initial: Values, options: [Option<Values>] = [], operands: [Operand<Values>] = [],
        passesOnUnknownOptions: @escaping @Sendable (Values) -> Bool = { _ in false },
        finish: @escaping @Sendable (Values, SubcommandName?) throws(UsageError) -> Invocation
    ) {
        self.initial = initial
        self.options = options + [.version, .help]
        self.operands = operands
        self.passesOnUnknownOptions = passesOnUnknownOptions
        self.finish = finish
    }
}
