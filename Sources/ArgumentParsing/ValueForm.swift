/// The texts that an option or an operand takes. They are described only when they are asked for, because a table has dozens
/// of options, and each start of the program makes one.
enum ValueForm: Sendable {
    /// The option is a flag.
    case none
    case type(any ArgumentValue.Type)
    /// Words, separated by commas. The list can be incomplete.
    case words([String])

    var expectation: String {
        switch self {
        case .none: ""
        case .type(let type): type.expectation
        case .words: "words separated by single commas, without spaces"
        }
    }

    var choices: [String] {
        switch self {
        case .none: []
        case .type(let type): type.choices
        case .words(let choices): choices
        }
    }

    func correction(of text: String) -> ValueCorrection {
        if case .type(let type) = self { return type.correction(of: text) }
        return ValueCorrection(of: text, expectation: expectation, choices: choices)
    }
}
