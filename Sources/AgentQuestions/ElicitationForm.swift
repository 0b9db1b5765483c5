import JSONScan
import TerminalText

/// The form of an elicitation: the fields of its `requestedSchema`, in the schema's order. Pure.
///
/// Source: ACP, `ElicitationSchema`: one flat object with members of simple types.
package struct ElicitationForm: Sendable, Equatable {
    package let fields: [FormField]

    /// - Parameter schema: The member `requestedSchema`. Nil is a form without fields.
    package init(_ schema: JSONValue?) {
        let required = Set((schema?["required"]?.elements ?? []).compactMap(\.stringValue))
        var fields: [FormField] = []
        for (name, property) in schema?["properties"]?.members ?? [] where !fields.contains(where: { $0.name == name })
        {
            fields.append(FormField(name: name, schema: property, isRequired: required.contains(name)))
        }
        self.fields = fields
    }

    /// Returns the `content` of an answer, as JSON text. A field without a text gets its default value, or is left out.
    ///
    /// - Parameter given: Names of fields and the texts that a person entered.
    /// - Throws: ``AnswerFault`` for an unknown or repeated field, a text that is not a value of its field, and a missing
    ///   required field.
    package func content(_ given: [(name: String, text: String)]) throws(AnswerFault) -> [UInt8] {
        var values: [String: [UInt8]] = [:]
        for (name, text) in given {
            guard let field = fields.first(where: { $0.name == name }) else { throw unknown(name) }
            guard values[name] == nil else { throw AnswerFault("'\(name)' has more than one value") }
            values[name] = try field.value(of: text)
        }
        return try content(values)
    }

    /// - Parameter values: The JSON text of each field's value, by the field's name.
    func content(_ values: [String: [UInt8]]) throws(AnswerFault) -> [UInt8] {
        var members: [(name: String, value: [UInt8])] = []
        for field in fields {
            if let value = values[field.name] ?? field.defaultValue {
                members.append((field.name, value))
            } else if field.isRequired {
                throw AnswerFault("'\(field.name)' is missing")
            }
        }
        return JSONWriter.object { for (name, value) in members { $0.member(name, raw: value) } }
    }

    private func unknown(_ name: String) -> AnswerFault {
        guard !fields.isEmpty else { return AnswerFault("the form has no fields") }
        let names = fields.map { field -> TerminalText in "'\(field.name)'" }.joined(separator: ", ")
        return AnswerFault("the form has no field '\(name)'; it has " + names)
    }
}
