import ArgumentParsing
import Invocations

/// One subcommand of the table. The parser, help, man page and completions are generated from it.
///
/// To add an option, add a row to the subcommand's `options` and a property to its options structure. To add a
/// subcommand, add a case to `SubcommandName` and `Invocation`, and follow the compiler errors.
struct Subcommand: Sendable {
    let name: SubcommandName
    /// One line for lists, without a full stop at the end.
    let abstract: String
    /// Paragraphs of help.
    let discussion: [String]
    let operands: [OperandDescription]
    let options: [OptionDescription]
    let examples: [Example]
    /// Parses the words after the subcommand's name. The name is nil if it was not written.
    let parse: @Sendable (ArraySlice<String>, SubcommandName?) throws(UsageError) -> Invocation
    /// Reads the options among the words after the subcommand's name. Checks each value, but not their combination.
    let written: @Sendable (ArraySlice<String>) throws(UsageError) -> [WrittenOption]
    /// Returns whether the subcommand has this option, and the text is a valid value for it.
    let accepts: @Sendable (WrittenOption) -> Bool

    init<Values: Sendable>(
        _ name: SubcommandName, abstract: String, discussion: [String] = [], syntax: Syntax<Values, Invocation>,
        examples: [Example]
    ) {
        self.name = name
        self.abstract = abstract
        self.discussion = discussion
        self.operands = syntax.operands.map(\.description)
        self.options = syntax.options.map(\.description)
        self.examples = examples
        self.parse = { (words, topic) throws(UsageError) in
            let reader = ArgumentReader(
                syntax, words: words, topic: .acpbridge(topic), owners: SubcommandName.owners(of:))
            return switch try reader.read() {
            case .outcome(let invocation): invocation
            case .request(.version): .version
            case .request(.help): .help(about: topic)
            }
        }
        self.written = { (words) throws(UsageError) in
            let reader = ArgumentReader(
                syntax, words: words, topic: .acpbridge(name), owners: SubcommandName.owners(of:))
            return try reader.writtenOptions()
        }
        self.accepts = { written in
            var values = syntax.initial
            return syntax.ownOptions.first { $0.description.name == written.name }?.store(written.text, in: &values)
                ?? false
        }
    }

    var visibleOptions: [OptionDescription] { options.filter { !$0.isHidden } }

    /// The parts of the usage line after `acpbridge`, which must not be broken: `attach`, `SESSION`,
    /// `[--no-follow]`.
    var synopsis: [String] {
        let flags = visibleOptions.filter { !$0.isCommon }
            .map { $0.isRepeatable ? "[\($0.synopsis)]..." : "[\($0.synopsis)]" }
        let first = operands.filter(\.isRequired).map(\.synopsis)
        let last = operands.filter { !$0.isRequired }.map(\.synopsis)
        return [name == .stdio ? "[stdio]" : name.rawValue] + first + flags + last
    }
}

/// An example command, and its purpose.
struct Example: Sendable {
    /// Displayed before a colon: "Follow the newest session".
    let purpose: String
    let command: String
}
