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

    /// The same option for a reader that collects the options as they were written. The value is still checked.
    ///
    /// - Parameter initial: The values that the option's check starts from.
    package func recorded(checkedWith initial: Values) -> Option<[WrittenOption]> where Values: Sendable {
        let name = description.name
        return switch effect {
        case .request(let request): Option<[WrittenOption]>(description: description, effect: .request(request))
        case .store(let store):
            Option<[WrittenOption]>(
                description: description,
                effect: .store { written, text in
                    var values = initial
                    guard store(&values, text) else { return false }
                    written.append(WrittenOption(name: name, text: text))
                    return true
                })
        }
    }
}
