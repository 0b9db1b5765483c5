/// An operand (an argument that is not an option), as described to the parser, help, man page and completions.
struct OperandDescription: Sendable {
    var name: String
    /// The form in a usage line: `SESSION`, `[SUBCOMMAND]`.
    var synopsis: String
    var expectation: String
    var choices: [String] = []
    var completion = Completion.nothing
    var isRequired = false
    /// Takes all remaining words, including options.
    var takesRest = false
    /// Takes all following operands; options are still parsed.
    var isRepeatable = false
    /// The hint if the operand is missing.
    var hintIfMissing: String?
    var help: String
}

/// A row of the table: an operand, and the destination of its value.
struct Operand<Values>: Sendable {
    let description: OperandDescription
    /// Stores the words: one word, unless the operand takes the rest. Returns false if they are not a valid value.
    let store: @Sendable (inout Values, [String]) -> Bool
}

extension Operand {
    static func required<Value: ArgumentValue>(
        _ name: String, into path: WritableKeyPath<Values, Value> & Sendable, completion: Completion = .choice,
        hintIfMissing: String, help: String
    ) -> Self {
        let description = OperandDescription(
            name: name, synopsis: name, expectation: Value.expectation, choices: Value.choices,
            completion: completion, isRequired: true, hintIfMissing: hintIfMissing, help: help)
        return Operand(description: description) { values, words in
            guard let value = Value(argument: words[0]) else { return false }
            values[keyPath: path] = value
            return true
        }
    }

    /// The session, as the user names it.
    static func session(into path: WritableKeyPath<Values, String> & Sendable) -> Self {
        .required(
            "SESSION", into: path, completion: .session,
            hintIfMissing: "Write 'latest', an id, or the beginning of an id; 'acpbridge sessions' lists the ids.",
            help: """
                The agent's session id, or a unique prefix of it; 'latest'; or AGENT:ID if two agents use the same \
                id.
                """)
    }

    static func optional<Value: ArgumentValue>(
        _ name: String, into path: WritableKeyPath<Values, Value?> & Sendable, completion: Completion = .choice,
        help: String
    ) -> Self {
        let description = OperandDescription(
            name: name, synopsis: "[\(name)]", expectation: Value.expectation, choices: Value.choices,
            completion: completion, help: help)
        return Operand(description: description) { values, words in
            guard let value = Value(argument: words[0]) else { return false }
            values[keyPath: path] = value
            return true
        }
    }

    /// Any number of words, with or without options between them.
    static func words(
        _ name: String, into path: WritableKeyPath<Values, [String]> & Sendable, help: String
    ) -> Self {
        let description = OperandDescription(
            name: name, synopsis: "[\(name)...]", expectation: String.expectation, isRepeatable: true, help: help)
        return Operand(description: description) { values, words in
            values[keyPath: path] += words
            return true
        }
    }

    /// A command with its arguments, which are not parsed.
    static func command(
        _ name: String, synopsis: String, into path: WritableKeyPath<Values, [String]> & Sendable, help: String
    ) -> Self {
        let description = OperandDescription(
            name: name, synopsis: synopsis, expectation: "a command", completion: .command, takesRest: true, help: help)
        return Operand(description: description) { values, words in
            values[keyPath: path] = words
            return true
        }
    }
}
