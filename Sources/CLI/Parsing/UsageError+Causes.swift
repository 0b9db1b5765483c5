extension UsageError {
    /// Words that other programs use for a subcommand.
    private static let synonyms = [
        "ls": "sessions", "list": "sessions", "ps": "sessions", "info": "status", "kill": "stop", "quit": "stop",
        "start": "serve", "daemon": "serve", "run": "stdio", "tail": "attach", "watch": "attach", "follow": "attach",
        "version": "--version",
    ]

    static func unknownSubcommand(_ word: String) -> UsageError {
        let example = word.isPlainWord ? word : "COMMAND"
        let asAgent =
            "To run an agent by its name, write 'acpbridge --agent \(word.isPlainWord ? word : "NAME")'; "
            + "to run a program as the agent, 'acpbridge -- \(example)'."
        let meant = synonyms[word].map { "Did you mean '\($0)'?" } ?? didYouMean(word, oneOf: SubcommandName.choices)
        let hints = [meant, asAgent]
        return UsageError(
            "Unknown subcommand \(quoted(word)).", hint: hints.compactMap(\.self).joined(separator: " "), topic: nil)
    }

    /// - Parameters:
    ///   - name: The option as it was written, with its dashes and without a value.
    ///   - known: The options of the subcommand.
    static func unknownOption(_ name: String, known: [OptionDescription], topic: SubcommandName?) -> UsageError {
        let owners = SubcommandName.allCases.filter {
            $0.subcommand.options.contains { $0.matches(name) && !$0.isHidden }
        }
        if !owners.isEmpty { return foreignOption(name, owners: owners, topic: topic) }
        // "-agent" is a common typing error for "--agent".
        let meant = "--" + name.drop { $0 == "-" }
        let names = known.filter { !$0.isHidden }.map(\.longName)
        return UsageError("Unknown option \(quoted(name)).", hint: didYouMean(meant, oneOf: names), topic: topic)
    }

    private static func foreignOption(_ name: String, owners: [SubcommandName], topic: SubcommandName?) -> UsageError {
        let commands = owners.map { "'acpbridge \($0.rawValue)'" }.joined(with: "and")
        let hint =
            topic == nil ? "Write the subcommand first: 'acpbridge \(owners[0].rawValue) \(name)'." : nil
        return UsageError(
            "'\(name)' is an option of \(commands), not of 'acpbridge \((topic ?? .stdio).rawValue)'.", hint: hint,
            topic: topic ?? (owners.count == 1 ? owners[0] : nil))
    }

    /// - Parameter next: The word in the place of the value, if it looks like an option but is unknown.
    static func missingValue(of option: OptionDescription, next: String?, topic: SubcommandName?) -> UsageError {
        let hint = next.map { word in
            let value = word.isPlainWord ? word : "VALUE"
            return "If the value begins with '-', write '\(option.longName)=\(value)'."
        }
        return UsageError(
            "'\(option.longName)' needs a value: \(option.valueName ?? "VALUE").", hint: hint, topic: topic)
    }

    static func unwantedValue(of option: OptionDescription, topic: SubcommandName?) -> UsageError {
        UsageError("'\(option.longName)' does not take a value.", topic: topic)
    }

    static func repeated(_ option: OptionDescription, topic: SubcommandName?) -> UsageError {
        UsageError("'\(option.longName)' was given more than once.", hint: "Keep the one that you mean.", topic: topic)
    }

    /// - Parameter name: The option with its dashes and quotes, or the name of the operand.
    static func invalid(
        _ text: String, for name: String, expected: String, choices: [String], topic: SubcommandName?
    ) -> UsageError {
        UsageError(
            "Invalid value \(quoted(text)) for \(name): expected \(expected).",
            hint: didYouMean(text, oneOf: choices), topic: topic)
    }

    static func unexpectedArgument(_ word: String, operands: [String], topic: SubcommandName?) -> UsageError {
        let taken = operands.isEmpty ? "no arguments" : "only \(operands.joined(with: "and"))"
        let command = topic.map { "acpbridge \($0.rawValue)" } ?? "acpbridge"
        return UsageError("Unexpected argument \(quoted(word)): '\(command)' takes \(taken).", topic: topic)
    }

    private static func didYouMean(_ text: String, oneOf names: [String]) -> String? {
        nearest(to: text, among: names).map { "Did you mean '\($0)'?" }
    }
}

extension String {
    /// True if an example command can contain the text unquoted, because no character is special to a shell.
    fileprivate var isPlainWord: Bool {
        !isEmpty && utf8.count <= 60
            && utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "-_./".utf8.contains(byte)
            }
    }
}
