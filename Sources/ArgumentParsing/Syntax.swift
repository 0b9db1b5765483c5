/// The grammar of one subcommand, and the destinations of its values.
package struct Syntax<Values: Sendable, Outcome>: Sendable {
    package let initial: Values
    package let options: [Option<Values>]
    /// The options without those of every subcommand.
    package var ownOptions: [Option<Values>] { options.filter { !$0.description.isCommon } }
    package let operands: [Operand<Values>]
    /// Whether an option that is not in the table is an operand, given the values read so far.
    let forwardsUnknownOptions: @Sendable (Values) -> Bool
    /// Checks conditions that involve several values, and creates the outcome. The topic is used in errors.
    let finish: @Sendable (Values, CommandTopic) throws(UsageError) -> Outcome

    package init(
        initial: Values, options: [Option<Values>] = [], operands: [Operand<Values>] = [],
        forwardsUnknownOptions: @escaping @Sendable (Values) -> Bool = { _ in false },
        finish: @escaping @Sendable (Values, CommandTopic) throws(UsageError) -> Outcome
    ) {
        self.initial = initial
        var all = options
        // One by one, because `+` searches the program for the conformances of their type.
        all.append(.version)
        all.append(.help)
        self.options = all
        self.operands = operands
        self.forwardsUnknownOptions = forwardsUnknownOptions
        self.finish = finish
    }
}

/// The result of reading the arguments of one subcommand.
package enum ParsedArguments<Outcome> {
    case outcome(Outcome)
    /// The user asked for information instead. The words after the request were not read.
    case request(InformationRequest)
}

extension ParsedArguments: Sendable where Outcome: Sendable {}

/// The information that every subcommand can be asked for.
package enum InformationRequest: Sendable {
    /// `--version`
    case version
    /// `--help`
    case help
}
