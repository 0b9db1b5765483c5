/// Reads the arguments of one subcommand, from left to right.
///
/// `--name value` and `--name=value` mean the same. `--` ends the options. Options and operands can be mixed. A
/// value that begins with `-` is accepted only after `=`, so that an option with a forgotten value does not consume
/// the next option. A repeated flag has no further effect; an option with one value cannot be repeated.
package struct ArgumentReader<Values: Sendable, Outcome> {
    private let syntax: Syntax<Values, Outcome>
    private let topic: CommandTopic
    private let owners: @Sendable (String) -> [String]
    private var words: ArraySlice<String>
    private var values: Values
    private var operands: ArraySlice<Operand<Values>>
    private var written: [WrittenOption] = []

    /// - Parameters:
    ///   - topic: The program, and the subcommand if its name was written.
    ///   - owners: Returns the names of all subcommands that have an option, for the error about an unknown option.
    package init(
        _ syntax: Syntax<Values, Outcome>, words: ArraySlice<String>, topic: CommandTopic,
        owners: @escaping @Sendable (String) -> [String]
    ) {
        self.syntax = syntax
        self.topic = topic
        self.owners = owners
        self.words = words
        self.values = syntax.initial
        self.operands = syntax.operands[...]
    }

    package consuming func read() throws(UsageError) -> ParsedArguments<Outcome> {
        if let request = try readWords() { return .request(request) }
        for operand in operands where operand.description.isRequired {
            let missing = operand.description
            throw UsageError("Missing argument: \(missing.name).", hint: missing.hintIfMissing, topic: topic)
        }
        return .outcome(try syntax.finish(values, topic))
    }

    /// The options in the order of the words; empty if the user asked for information instead. Checks each value, but not
    /// their combination.
    package consuming func writtenOptions() throws(UsageError) -> [WrittenOption] {
        try readWords() == nil ? written : []
    }

    /// Reads all words, or those before a request.
    private mutating func readWords() throws(UsageError) -> InformationRequest? {
        var optionsEnded = false
        while let word = words.popFirst() {
            if optionsEnded || !word.isOption {
                try readOperand(word)
            } else if word == "--" {
                optionsEnded = true
            } else if let request = try readOption(word) {
                return request
            }
        }
        return nil
    }

    private mutating func readOption(_ word: String) throws(UsageError) -> InformationRequest? {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        if let option = option(written: name) {
            let text = try value(of: option.description, attached: parts.count > 1 ? String(parts[1]) : nil)
            return try apply(option, text: text)
        }
        guard syntax.forwardsUnknownOptions(values) else {
            throw .unknownOption(
                name, known: syntax.options.map(\.description), owners: owners(name),
                canBeOperand: operands.first.map { !$0.description.takesRest } ?? false, topic: topic)
        }
        try readOperand(word)
        return nil
    }

    private func option(written name: String) -> Option<Values>? {
        // A loop, because a generic function of the standard library first searches all conformances of the program.
        for option in syntax.options where option.description.matches(name) { return option }
        return nil
    }

    /// The value of the option; empty for a flag.
    private mutating func value(
        of option: OptionDescription, attached: String?
    ) throws(UsageError) -> String {
        guard option.valueName != nil else {
            if attached != nil { throw .unwantedValue(of: option, topic: topic) }
            return ""
        }
        if let attached { return attached }
        guard let next = words.first, !next.isOption else {
            let next = words.first.flatMap { self.option(written: $0) == nil && $0 != "--" ? $0 : nil }
            throw .missingValue(of: option, next: next, topic: topic)
        }
        return words.removeFirst()
    }

    private mutating func apply(
        _ option: Option<Values>, text: String
    ) throws(UsageError) -> InformationRequest? {
        let description = option.description
        switch option.effect {
        case .request(let request):
            return request
        case .store(let store):
            let isFirst = !written.contains { $0.name == description.name }
            written.append(WrittenOption(name: description.name, text: text))
            let isFlag = description.valueName == nil
            guard isFirst || isFlag || description.isRepeatable else { throw .repeated(description, topic: topic) }
            guard store(&values, text) else {
                throw .invalid(
                    text, for: "'\(description.longName)'", description.correction(of: text), topic: topic)
            }
            return nil
        }
    }

    private mutating func readOperand(_ word: String) throws(UsageError) {
        guard let operand = operands.first else {
            throw .unexpectedArgument(word, operands: syntax.operands.map(\.description), topic: topic)
        }
        if !operand.description.isRepeatable { operands.removeFirst() }
        var taken = [word]
        if operand.description.takesRest {
            taken += words
            words = []
        }
        guard operand.store(&values, taken) else {
            let description = operand.description
            throw .invalid(word, for: description.name, description.form.correction(of: word), topic: topic)
        }
    }
}

extension String {
    /// `-` alone is not an option: by convention it means standard input.
    fileprivate var isOption: Bool { utf8.first == UInt8(ascii: "-") && utf8.count > 1 }
}
