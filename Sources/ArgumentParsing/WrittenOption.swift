/// An option as it was written, with a valid value.
package struct WrittenOption: Equatable, Sendable {
    /// The name, without dashes.
    package let name: String
    /// The text of the value; empty for a flag.
    package let text: String

    package init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}

extension Option {
    /// Stores the value that `text` describes ("" for a flag). Returns false if the text is not a valid value.
    package func store(_ text: String, in values: inout Values) -> Bool {
        guard case .store(let store) = effect else { return false }
        return store(&values, text)
    }
}
