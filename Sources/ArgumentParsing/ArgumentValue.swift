/// A value that an option or an operand can take.
package protocol ArgumentValue: Sendable {
    /// Returns nil if the text is not a valid value.
    init?(argument: String)

    /// The expected form of the text, which ends the sentence "Invalid value 'x' for '--name': expected …".
    static var expectation: String { get }

    /// The possible values, or the best known of them, for completions and for "Did you mean".
    static var choices: [String] { get }

    /// Describes the right form in the error for this text, which is not a valid value.
    static func correction(of argument: String) -> ValueCorrection
}

/// The part of an error that leads to a valid value.
package struct ValueCorrection: Equatable, Sendable {
    /// The end of the sentence "expected …".
    package let expectation: String
    /// The word that the user probably meant.
    package let nearest: String?

    package init(expectation: String, nearest: String?) {
        self.expectation = expectation
        self.nearest = nearest
    }

    /// The word that was meant is the most similar one of `choices`.
    init(of text: String, expectation: String, choices: [String]) {
        self.init(
            expectation: expectation,
            nearest: choices.contains(text) ? nil : ArgumentParsing.nearest(to: text, among: choices))
    }
}

extension ArgumentValue {
    package static var choices: [String] { [] }

    package static func correction(of argument: String) -> ValueCorrection {
        ValueCorrection(of: argument, expectation: expectation, choices: choices)
    }
}

extension ArgumentValue where Self: RawRepresentable<String> & CaseIterable {
    package init?(argument: String) { self.init(rawValue: argument) }
    package static var choices: [String] { allCases.map { $0.rawValue } }
    package static var expectation: String { choices.map { "'\($0)'" }.joined(with: "or") }
}

extension String: ArgumentValue {
    package static let expectation = "non-empty text"

    package init?(argument: String) {
        if argument.isEmpty { return nil }
        self = argument
    }
}

extension [String] {
    /// `a, b or c`.
    package func joined(with conjunction: String) -> String {
        guard let last, count > 1 else { return joined() }
        return "\(dropLast().joined(separator: ", ")) \(conjunction) \(last)"
    }
}
