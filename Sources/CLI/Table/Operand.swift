/// What parser, help, man page and completions know of an operand: an argument that is no option.
struct OperandDescription: Sendable {
    var name: String
    /// How a usage line shows it: `SESSION`, `[SUBCOMMAND]`.
    var synopsis: String
    var expectation: String
    var choices: [String] = []
    var completion = Completion.nothing
    var isRequired = false
    /// Takes every word that is left, options too.
    var takesRest = false
    /// Takes every operand from here on; options stay options.
    var isRepeatable = false
    /// What to tell someone who left it out.
    var hintIfMissing: String?
    var help: String
}

/// A row of the table: an operand, and where it goes.
struct Operand<Values>: Sendable {
    let description: OperandDescription
    /// Keeps the words, of which there is one unless it takes the rest; false where they are no such value.
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

    /// The session that is meant, as a person names it.
    static func session(into path: WritableKeyPath<Values, String> & Sendable) -> Self {
        .required(
            "SESSION", into: path, completion: .session,
            hintIfMissing: "Write 'latest', or an id or its beginning; 'acpbridge sessions' lists them.",
            help: """
                The agent's session id, or the beginning of it if no other id begins so; 'latest'; \
                or AGENT:ID where two agents use the same id.
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

    /// Any number of words, options between them or not.
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

    /// A command with its arguments, which are not looked at.
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
