extension UsageError {
    /// - Parameters:
    ///   - name: The option as it was written, with its dashes and without a value.
    ///   - known: The options of the subcommand.
    ///   - owners: The subcommands that have this option.
    ///   - canBeOperand: The subcommand takes another operand, which can begin with `-`.
    static func unknownOption(
        _ name: String, known: [OptionDescription], owners: [String], canBeOperand: Bool, topic: CommandTopic
    ) -> UsageError {
        if !owners.isEmpty { return foreignOption(name, owners: owners, topic: topic) }
        // "-agent" is a common typing error for "--agent".
        let meant = "--" + name.drop { $0 == "-" }
        let names = known.filter { !$0.isHidden }.map(\.longName)
        let operandHint = canBeOperand ? "If \(quoted(name)) is not an option, write '--' before it." : nil
        return UsageError(
            "Unknown option \(quoted(name)).", hint: didYouMean(meant, oneOf: names) ?? operandHint, topic: topic)
    }

    private static func foreignOption(_ name: String, owners: [String], topic: CommandTopic) -> UsageError {
        let commands = owners.map { "'\(topic.program) \($0)'" }.joined(with: "and")
        let hint =
            topic.subcommand == nil ? "Write the subcommand first: '\(topic.program) \(owners[0]) \(name)'." : nil
        let page = topic.subcommand ?? (owners.count == 1 ? owners[0] : nil)
        return UsageError(
            "'\(name)' is an option of \(commands), not of '\(topic.program) \(topic.subcommand ?? topic.defaultSubcommand)'.",
            hint: hint,
            topic: CommandTopic(
                program: topic.program, subcommand: page, defaultSubcommand: topic.defaultSubcommand))
    }

    /// - Parameter next: The word in the place of the value, if it looks like an option but is unknown.
    static func missingValue(of option: OptionDescription, next: String?, topic: CommandTopic) -> UsageError {
        let hint = next.map { word in
            let value = word.isPlainWord ? word : "VALUE"
            return "If the value begins with '-', write '\(option.longName)=\(value)'."
        }
        return UsageError(
            "'\(option.longName)' needs a value: \(option.valueName ?? "VALUE").", hint: hint, topic: topic)
    }

    static func unwantedValue(of option: OptionDescription, topic: CommandTopic) -> UsageError {
        UsageError("'\(option.longName)' does not take a value.", topic: topic)
    }

    static func repeated(_ option: OptionDescription, topic: CommandTopic) -> UsageError {
        UsageError("'\(option.longName)' was given more than once.", hint: "Keep the one that you mean.", topic: topic)
    }

    /// - Parameter name: The option with its dashes and quotes, or the name of the operand.
    static func invalid(
        _ text: String, for name: String, _ correction: ValueCorrection, topic: CommandTopic
    ) -> UsageError {
        UsageError(
            "Invalid value \(quoted(text)) for \(name): expected \(correction.expectation).",
            hint: correction.nearest.map { "Did you mean '\($0)'?" }, topic: topic)
    }

    static func unexpectedArgument(
        _ word: String, operands: [OperandDescription], topic: CommandTopic
    ) -> UsageError {
        let taken = operands.isEmpty ? "no arguments" : "only \(operands.map(\.name).joined(with: "and"))"
        return UsageError(
            "Unexpected argument \(quoted(word)): '\(topic)' takes \(taken).",
            hint: operands.last?.takesAnyText == true ? "A value with spaces must be in quotes." : nil, topic: topic)
    }

    package static func didYouMean(_ text: String, oneOf names: [String]) -> String? {
        nearest(to: text, among: names).map { "Did you mean '\($0)'?" }
    }
}

extension OperandDescription {
    /// The value can have spaces.
    fileprivate var takesAnyText: Bool { if case .type(let type) = form { type == String.self } else { false } }
}

extension String {
    /// True if an example command can contain the text unquoted, because no character is special to a shell.
    package var isPlainWord: Bool {
        !isEmpty && utf8.count <= 60
            && utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "-_./".utf8.contains(byte)
            }
    }
}
