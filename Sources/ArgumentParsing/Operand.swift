/// An operand (an argument that is not an option), as described to the parser, help, man page and completions.
package struct OperandDescription: Sendable {
    package var name: String
    /// The form in a usage line: `SESSION`, `[SUBCOMMAND]`.
    package var synopsis: String
    let form: ValueForm
    /// Nil means the choices, if there are any.
    var ownCompletion: CompletionHint?
    package var isRequired = false
    /// Takes all remaining words, including options.
    package var takesRest = false
    /// Takes all following operands; options are still parsed.
    package var isRepeatable = false
    /// The hint if the operand is missing.
    package var hintIfMissing: String?
    package var help: String

    /// Values to offer; the list can be incomplete.
    package var choices: [String] { form.choices }

    /// The kind of completion for the value.
    package var completion: CompletionHint { ownCompletion ?? (choices.isEmpty ? .nothing : .choice) }
}

extension OperandDescription {
    fileprivate static func optional(
        _ name: String, _ type: any ArgumentValue.Type, _ completion: CompletionHint?, _ help: String
    ) -> Self {
        OperandDescription(
            name: name, synopsis: "[\(name)]", form: .type(type), ownCompletion: completion, help: help)
    }
}

/// A row of the table: an operand, and the destination of its value.
package struct Operand<Values>: Sendable {
    package let description: OperandDescription
    /// Stores the words: one word, unless the operand takes the rest. Returns false if they are not a valid value.
    let store: @Sendable (inout Values, [String]) -> Bool
}

extension Operand {
    package static func required<Value: ArgumentValue>(
        _ name: String, into path: @autoclosure @escaping LazyPath<Values, Value>,
        completion: CompletionHint? = nil,
        hintIfMissing: String, help: String
    ) -> Self {
        let description = OperandDescription(
            name: name, synopsis: name, form: .type(Value.self),
            ownCompletion: completion, isRequired: true, hintIfMissing: hintIfMissing, help: help)
        return .storing(description) { (values, value: Value) in values[keyPath: path()] = value }
    }

    package static func optional<Value: ArgumentValue>(
        _ name: String, into path: @autoclosure @escaping LazyPath<Values, Value?>,
        completion: CompletionHint? = nil,
        help: String
    ) -> Self {
        .storing(.optional(name, Value.self, completion, help)) { (values, value: Value) in
            values[keyPath: path()] = value
        }
    }

    /// Without the operand, the initial value counts.
    package static func optional<Value: ArgumentValue>(
        _ name: String, into path: @autoclosure @escaping LazyPath<Values, Value>,
        completion: CompletionHint? = nil,
        help: String
    ) -> Self {
        .storing(.optional(name, Value.self, completion, help)) { (values, value: Value) in
            values[keyPath: path()] = value
        }
    }

    private static func storing<Value: ArgumentValue>(
        _ description: OperandDescription, _ store: @escaping @Sendable (inout Values, Value) -> Void
    ) -> Self {
        Operand(description: description) { values, words in
            guard let value = Value(argument: words[0]) else { return false }
            store(&values, value)
            return true
        }
    }

    /// Any number of words, with or without options between them.
    package static func words(
        _ name: String, into path: @autoclosure @escaping LazyPath<Values, [String]>,
        completion: CompletionHint? = nil,
        help: String
    ) -> Self {
        let description = OperandDescription(
            name: name, synopsis: "[\(name)...]", form: .type(String.self), ownCompletion: completion,
            isRepeatable: true, help: help)
        return Operand(description: description) { values, words in
            values[keyPath: path()] += words
            return true
        }
    }

    /// A command with its arguments, which are not parsed.
    package static func command(
        _ name: String, synopsis: String,
        into path: @autoclosure @escaping LazyPath<Values, [String]>, help: String
    ) -> Self {
        let description = OperandDescription(
            name: name, synopsis: synopsis, form: .type(String.self), ownCompletion: .command, takesRest: true,
            help: help)
        return Operand(description: description) { values, words in
            values[keyPath: path()] = words
            return true
        }
    }
}
