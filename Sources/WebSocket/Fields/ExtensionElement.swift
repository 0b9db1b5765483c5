import HTTPTokens

/// One element of `Sec-WebSocket-Extensions`: `permessage-deflate; server_max_window_bits=10`. Source: RFC 6455,
/// section 9.1.
struct ExtensionElement: Equatable {
    struct Parameter: Equatable {
        let name: String
        let value: String?
    }

    let name: String
    let parameters: [Parameter]

    /// The elements of a list, which can be spread over several fields. Nil when the list is malformed.
    static func list(_ values: [String]) -> [ExtensionElement]? {
        var elements: [ExtensionElement] = []
        for value in values {
            for text in split(value, at: ",") where !text.allSatisfy(\.isWhitespace) {
                guard let element = ExtensionElement(text) else { return nil }
                elements.append(element)
            }
        }
        return elements
    }

    private init?(_ text: Substring) {
        let parts = Self.split(String(text), at: ";").map { Self.trimmed($0) }
        guard let name = parts.first, HTTPToken.isValid(name.utf8) else { return nil }
        self.name = name
        var parameters: [Parameter] = []
        for part in parts.dropFirst() {
            guard let parameter = Self.parameter(part) else { return nil }
            parameters.append(parameter)
        }
        self.parameters = parameters
    }

    /// `name`, `name=token` or `name="token"`.
    private static func parameter(_ text: String) -> Parameter? {
        guard let equals = text.firstIndex(of: "=") else {
            return HTTPToken.isValid(text.utf8) ? Parameter(name: text, value: nil) : nil
        }
        let name = trimmed(text[..<equals])
        var value = trimmed(text[text.index(after: equals)...])
        if value.utf8.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") {
            value = String(value.dropFirst().dropLast())
        }
        // A quoted value must also be a token, so it contains no escapes and no separators.
        return HTTPToken.isValid(name.utf8) && HTTPToken.isValid(value.utf8) ? Parameter(name: name, value: value) : nil
    }

    private static func split(_ text: String, at separator: Character) -> [Substring] {
        text.split(separator: separator, omittingEmptySubsequences: false)
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        var text = text[...]
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text)
    }
}
