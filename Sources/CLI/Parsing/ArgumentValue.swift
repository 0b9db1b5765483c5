/// A value that an option or an operand can take.
protocol ArgumentValue: Sendable {
    /// Returns nil if the text is not a valid value.
    init?(argument: String)

    /// The expected form of the text, which ends the sentence "Invalid value 'x' for '--name': expected …".
    static var expectation: String { get }

    /// The possible values, or the best known of them, for completions and for "Did you mean".
    static var choices: [String] { get }
}

extension ArgumentValue {
    static var choices: [String] { [] }
}

extension ArgumentValue where Self: RawRepresentable<String> & CaseIterable {
    init?(argument: String) { self.init(rawValue: argument) }
    static var choices: [String] { allCases.map(\.rawValue) }
    static var expectation: String { choices.map { "'\($0)'" }.joined(with: "or") }
}

extension Durability: ArgumentValue {}
extension ReaderPolicy: ArgumentValue {}
extension Shell: ArgumentValue {}
extension SubcommandName: ArgumentValue {}
extension TokenAction: ArgumentValue {}
extension TokenRole: ArgumentValue {}

extension String: ArgumentValue {
    static let expectation = "non-empty text"

    init?(argument: String) {
        if argument.isEmpty { return nil }
        self = argument
    }
}

extension StartPosition: ArgumentValue {
    static let choices = ["start", "now"]
    static let expectation = "'start', 'now' or the number of an update, 1 or higher"

    init?(argument: String) {
        switch argument {
        case "start": self = .start
        case "now": self = .now
        default:
            guard let number = Int64(digits: argument), number >= 1 else { return nil }
            self = .number(number)
        }
    }
}

extension [String] {
    /// `a, b or c`.
    func joined(with conjunction: String) -> String {
        guard let last, count > 1 else { return joined() }
        return "\(dropLast().joined(separator: ", ")) \(conjunction) \(last)"
    }
}
