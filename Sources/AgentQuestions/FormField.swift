import JSONScan
import TerminalText

/// One field of a form, and the check of the text that a person enters into it. Pure.
///
/// The check covers the type, the choices, the bounds of numbers, the length of texts and the form of dates. `pattern` and
/// the other formats are not checked: the agent checks them.
package struct FormField: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// Text with a length in Unicode scalars (JSON Schema counts the characters of RFC 8259).
        case text(minLength: Int64?, maxLength: Int64?, format: String?)
        case number(isWhole: Bool, minimum: Double?, maximum: Double?)
        case boolean
        case choice(ChoiceList)
        /// Several choices, in the text separated by commas.
        case choices(ChoiceList, minItems: Int64?, maxItems: Int64?)
        /// A kind that ACP does not define today. The text is a JSON value.
        case unknown
    }

    /// The member of the answer.
    package let name: String
    package let title: String
    package let description: String?
    package let kind: Kind
    package let isRequired: Bool
    /// The value that the agent proposes, as JSON text.
    package let defaultValue: [UInt8]?

    /// - Parameter schema: A member of the schema's `properties`.
    init(name: String, schema: JSONValue, isRequired: Bool) {
        self.name = name
        title = schema["title"]?.stringValue ?? name
        description = schema["description"]?.stringValue
        kind = Kind(schema)
        self.isRequired = isRequired
        defaultValue = schema["default"].flatMap { $0.isNull ? nil : Array($0.rawText) }
    }

    /// The question for this field on one line: `Colour (1 red  2 green) [red]: `.
    package var line: TerminalText {
        var line: TerminalText = "\(title)"
        if let hint { line += " (" + hint + ")" }
        if let shownDefault { line += " [\(shownDefault)]" }
        return line + ": "
    }

    private var hint: TerminalText? {
        switch kind {
        case .text(_, _, let format): format.map { "\($0)" } ?? (isRequired ? nil : "optional")
        case .number(let isWhole, _, _): isWhole ? "a whole number" : "a number"
        case .boolean: "yes or no"
        case .choice(let list): list.line
        case .choices(let list, _, _): list.line + ", separated by commas"
        case .unknown: "a JSON value"
        }
    }

    private var shownDefault: String? {
        guard let defaultValue, let value = try? JSONValue(validating: defaultValue) else { return nil }
        return value.stringValue ?? value.rawString
    }

    /// Returns the JSON text of the value that a person entered.
    package func value(of text: String) throws(AnswerFault) -> [UInt8] {
        switch kind {
        case .text(let least, let most, let format): try string(text, least, most, format)
        case .number(let isWhole, let least, let most): try number(text, isWhole, least, most)
        case .boolean: try boolean(text)
        case .choice(let list): JSONWriter.scalar(try choice(text, list).value)
        case .choices(let list, let least, let most): try choices(text, list, least, most)
        case .unknown: try json(text)
        }
    }
}

/// The reason why a text is not a value of a form's field, or why a form is not complete.
package struct AnswerFault: Error, Equatable {
    package let message: TerminalText

    package init(_ message: TerminalText) { self.message = message }
}

extension FormField {
    private func fault(_ expected: TerminalText) -> AnswerFault { AnswerFault("'\(name)' must be " + expected) }

    private func string(_ text: String, _ least: Int64?, _ most: Int64?, _ format: String?) throws(AnswerFault)
        -> [UInt8]
    {
        let count = Int64(text.unicodeScalars.count)
        if let least, count < least { throw fault("at least \(least) characters long") }
        if let most, count > most { throw fault("at most \(most) characters long") }
        if format == "date", !Self.isDate(text) { throw fault("a date such as 2026-01-31") }
        return JSONWriter.scalar(text)
    }

    /// `2026-01-31`, without a check of the month's length.
    private static func isDate(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2] else { return false }
        let numbers = parts.compactMap { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int($0) : nil }
        return numbers.count == 3 && (1...12).contains(numbers[1]) && (1...31).contains(numbers[2])
    }

    /// Keeps the spelling of the number.
    private func number(_ text: String, _ isWhole: Bool, _ least: Double?, _ most: Double?) throws(AnswerFault)
        -> [UInt8]
    {
        guard let value = try? JSONValue(validating: Array(text.utf8)), value.kind == .number,
            let number = value.doubleValue
        else { throw fault(isWhole ? "a whole number" : "a number") }
        if isWhole, value.int64Value == nil { throw fault("a whole number") }
        if let least, number < least { throw fault("\(Self.shown(least)) or more") }
        if let most, number > most { throw fault("\(Self.shown(most)) or less") }
        return Array(value.rawText)
    }

    private static func shown(_ number: Double) -> String {
        Int64(exactly: number).map(String.init) ?? String(number)
    }

    private func boolean(_ text: String) throws(AnswerFault) -> [UInt8] {
        switch text.lowercased() {
        case "true", "yes", "y": JSONWriter.scalar(true)
        case "false", "no", "n": JSONWriter.scalar(false)
        default: throw fault("yes or no")
        }
    }

    private func choice(_ text: String, _ list: ChoiceList) throws(AnswerFault) -> Choice {
        guard let choice = list.choice(for: text) else { throw fault(list.expectation) }
        return choice
    }

    private func choices(_ text: String, _ list: ChoiceList, _ least: Int64?, _ most: Int64?) throws(AnswerFault)
        -> [UInt8]
    {
        var values: [String] = []
        for part in text.split(separator: ",") {
            let value = try choice(String(part).trimmed, list).value
            if !values.contains(value) { values.append(value) }
        }
        if let least, values.count < least { throw fault("at least \(least) of " + list.expectation) }
        if let most, values.count > most { throw fault("at most \(most) of " + list.expectation) }
        return JSONWriter.array { for value in values { $0.element(value) } }
    }

    private func json(_ text: String) throws(AnswerFault) -> [UInt8] {
        guard let value = try? JSONValue(validating: Array(text.utf8)) else { throw fault("a JSON value") }
        return Array(value.rawText)
    }
}

extension FormField.Kind {
    fileprivate init(_ schema: JSONValue) {
        switch schema["type"]?.stringValue {
        case "string":
            self =
                Self.choices(schema).map { .choice($0) }
                ?? .text(
                    minLength: schema["minLength"]?.int64Value, maxLength: schema["maxLength"]?.int64Value,
                    format: schema["format"]?.stringValue)
        case "number", "integer":
            self = .number(
                isWhole: schema["type"]?.stringValue == "integer", minimum: schema["minimum"]?.doubleValue,
                maximum: schema["maximum"]?.doubleValue)
        case "boolean": self = .boolean
        case "array":
            guard let items = schema["items"], let list = Self.choices(items) else {
                self = .unknown
                return
            }
            self = .choices(list, minItems: schema["minItems"]?.int64Value, maxItems: schema["maxItems"]?.int64Value)
        default: self = .unknown
        }
    }

    /// The values of `enum`, or those of `oneOf` or `anyOf`, each with a `const` and a `title`.
    private static func choices(_ schema: JSONValue) -> ChoiceList? {
        if let titled = schema["oneOf"] ?? schema["anyOf"], titled.kind == .array {
            return list(
                titled.elements.compactMap { option in
                    option["const"]?.stringValue.map { Choice(value: $0, title: option["title"]?.stringValue) }
                })
        }
        return schema["enum"].flatMap { list($0.elements.compactMap { $0.stringValue.map { Choice(value: $0) } }) }
    }

    private static func list(_ choices: [Choice]) -> ChoiceList? { choices.isEmpty ? nil : ChoiceList(choices) }
}

extension String {
    /// The text without white space at both ends.
    var trimmed: String {
        let words = drop(while: \.isWhitespace)
        return String(words[..<(words.lastIndex { !$0.isWhitespace }.map(words.index(after:)) ?? words.startIndex)])
    }
}
