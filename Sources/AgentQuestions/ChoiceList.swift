import JSONScan
import TerminalText

/// One of the values that a person can choose.
package struct Choice: Sendable, Equatable {
    /// The value to send.
    package let value: String
    /// The text to display; the value if it has no text of its own.
    package let title: String

    package init(value: String, title: String? = nil) {
        self.value = value
        self.title = title ?? value
    }
}

/// The values that a person can choose from, in the order in which they are displayed. Pure.
package struct ChoiceList: Sendable, Equatable {
    package let choices: [Choice]

    package init(_ choices: [Choice]) { self.choices = choices }

    /// The choices on one line: `1 Allow  2 Reject`.
    package var line: TerminalText {
        choices.enumerated().map { index, choice -> TerminalText in "\(index + 1) \(choice.title)" }
            .joined(separator: "  ")
    }

    /// The choice that the text selects: the exact value or title, a number in ``line``, or the unambiguous beginning of
    /// a title. Only the exact value is compared with regard to case.
    package func choice(for text: String) -> Choice? {
        if let exact = choices.first(where: { $0.value == text }) { return exact }
        let words = text.lowercased()
        if words.isEmpty { return nil }
        if let titled = choices.first(where: { $0.title.lowercased() == words }) { return titled }
        if let number = Int(words) { return choices.indices.contains(number - 1) ? choices[number - 1] : nil }
        let found = choices.filter { $0.title.lowercased().hasPrefix(words) }
        return found.count == 1 ? found[0] : nil
    }

    /// The words for an error: `'red', 'green' or 'blue'`.
    var expectation: TerminalText {
        let values = choices.map { choice -> TerminalText in "'\(choice.value)'" }
        guard let last = values.last, values.count > 1 else { return values.joined(separator: "") }
        return values.dropLast().joined(separator: ", ") + " or " + last
    }
}
