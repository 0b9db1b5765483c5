/// The place of a value in the structure of a subcommand's values. It is made only for an option that is given, because
/// making a key path takes time, and a table has dozens.
package typealias LazyPath<Values, Value> = @Sendable () -> WritableKeyPath<Values, Value>

/// A row of the table: an option, and the destination of its value.
package struct Option<Values>: Sendable {
    package var description: OptionDescription
    let effect: Effect

    enum Effect: Sendable {
        /// Stores the value ("" for a flag). Returns false if the text is not a valid value.
        case store(@Sendable (inout Values, String) -> Bool)
        /// Ends the parsing at once. Errors in the words that follow are not reported.
        case request(InformationRequest)
    }
}

extension Option {
    package static func flag(
        _ name: String, sets path: @autoclosure @escaping LazyPath<Values, Bool>, help: @autoclosure @escaping HelpText
    ) -> Self {
        Option(
            description: OptionDescription(name: name, makeHelp: help),
            effect: .store { values, _ in
                values[keyPath: path()] = true
                return true
            })
    }

    package static func flag(
        _ name: String, clears path: @autoclosure @escaping LazyPath<Values, Bool>,
        help: @autoclosure @escaping HelpText
    ) -> Self {
        Option(
            description: OptionDescription(name: name, makeHelp: help),
            effect: .store { values, _ in
                values[keyPath: path()] = false
                return true
            })
    }

    package static func value<Value: ArgumentValue>(
        _ name: String, _ valueName: String,
        into path: @autoclosure @escaping LazyPath<Values, Value>,
        default defaultText: String? = nil, help: @autoclosure @escaping HelpText
    ) -> Self {
        Option(
            description: .describing(Value.self, name, valueName, default: defaultText, makeHelp: help),
            effect: .storing { (values, value: Value) in values[keyPath: path()] = value })
    }

    package static func value<Value: ArgumentValue>(
        _ name: String, _ valueName: String,
        into path: @autoclosure @escaping LazyPath<Values, Value?>,
        completion: CompletionHint? = nil, default defaultText: String? = nil, help: @autoclosure @escaping HelpText
    ) -> Self {
        Option(
            description: .describing(
                Value.self, name, valueName, completion: completion, default: defaultText, makeHelp: help),
            effect: .storing { (values, value: Value) in values[keyPath: path()] = value })
    }

    /// An option that can be repeated; each time adds a value.
    package static func values<Value: ArgumentValue>(
        _ name: String, _ valueName: String,
        into path: @autoclosure @escaping LazyPath<Values, [Value]>,
        completion: CompletionHint? = nil, help: @autoclosure @escaping HelpText
    ) -> Self {
        var description = OptionDescription.describing(
            Value.self, name, valueName, completion: completion, makeHelp: help)
        description.isRepeatable = true
        return Option(
            description: description,
            effect: .storing { (values, value: Value) in values[keyPath: path()].append(value) })
    }

    /// An option that can be repeated. Nil means that it was not given.
    package static func values<Value: ArgumentValue>(
        _ name: String, _ valueName: String,
        into path: @autoclosure @escaping LazyPath<Values, [Value]?>,
        default defaultText: String, help: @autoclosure @escaping HelpText
    ) -> Self {
        var description = OptionDescription.describing(
            Value.self, name, valueName, default: defaultText, makeHelp: help)
        description.isRepeatable = true
        return Option(
            description: description,
            effect: .storing { (values, value: Value) in
                if values[keyPath: path()]?.append(value) == nil { values[keyPath: path()] = [value] }
            })
    }

    /// An option with one value: a list of words, separated by commas.
    package static func commaSeparated(
        _ name: String, _ valueName: String,
        into path: @autoclosure @escaping LazyPath<Values, [String]>,
        choices: [String], help: @autoclosure @escaping HelpText
    ) -> Self {
        let description = OptionDescription(
            name: name, valueName: valueName, form: .words(choices), ownCompletion: .list, makeHelp: help)
        return Option(
            description: description,
            effect: .store { values, text in
                let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
                guard words.allSatisfy({ !$0.isEmpty && !$0.contains(where: \.isWhitespace) }) else { return false }
                values[keyPath: path()] = words
                return true
            })
    }

    /// The option's value can contain a password, so it is never repeated in errors or lists.
    package var secret: Self {
        var copy = self
        copy.description.isSecret = true
        return copy
    }

    package var hidden: Self {
        var copy = self
        copy.description.isHidden = true
        return copy
    }
}

extension Option.Effect {
    fileprivate static func storing<Value: ArgumentValue>(
        _ keep: @escaping @Sendable (inout Values, Value) -> Void
    ) -> Self {
        .store { values, text in
            guard let value = Value(argument: text) else { return false }
            keep(&values, value)
            return true
        }
    }
}

extension OptionDescription {
    fileprivate static func describing<Value: ArgumentValue>(
        _ type: Value.Type, _ name: String, _ valueName: String, completion: CompletionHint? = nil,
        default defaultText: String? = nil, makeHelp: @escaping HelpText
    ) -> Self {
        OptionDescription(
            name: name, valueName: valueName, form: .type(Value.self), ownCompletion: completion,
            defaultText: defaultText, makeHelp: makeHelp)
    }
}
