import HTTPTokens

/// Header fields in the order in which they were received or added. Names are compared case-insensitively (ASCII).
package struct Headers: Sendable, Equatable {
    package struct Field: Sendable, Equatable {
        package let name: String
        /// Without white space at either end.
        package let value: String
    }

    package private(set) var fields: [Field] = []

    package init() {}

    package init(_ fields: [(name: String, value: String)]) {
        for field in fields { append(field.name, field.value) }
    }

    package mutating func append(_ name: String, _ value: String) { append(Field(name: name, value: value)) }

    mutating func append(_ field: Field) { fields.append(field) }

    package func first(_ name: String) -> String? {
        fields.first { ASCII.equalsIgnoringCase($0.name, name) }?.value
    }

    /// All values of the field, in order.
    package func all(_ name: String) -> [String] {
        fields.filter { ASCII.equalsIgnoringCase($0.name, name) }.map(\.value)
    }

    /// The elements of a comma-separated list, which can be spread over several fields. Empty elements are left out.
    ///
    /// `Connection: keep-alive, Upgrade` gives `["keep-alive", "Upgrade"]`. Source: RFC 9110, section 5.6.1.
    package func tokens(_ name: String) -> [String] {
        all(name).flatMap { value in
            value.utf8.split(separator: UInt8(ascii: ","))
                .map { String(decoding: ASCII.trimmingBlanks(ArraySlice($0)), as: UTF8.self) }
                .filter { !$0.isEmpty }
        }
    }

    /// True when the field's list contains this token in any case.
    package func contains(token: String, in name: String) -> Bool {
        tokens(name).contains { ASCII.equalsIgnoringCase($0, token) }
    }
}

extension Headers.Field {
    /// Reads the line of a field, without its line end. Source: RFC 9112, section 5, without its optional leniencies.
    init(line: ArraySlice<UInt8>) throws(HTTPRefusal) {
        if let first = line.first, ASCII.isBlank(first) { throw .foldedField }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), HTTPToken.isValid(line[..<colon]) else {
            throw .malformedFieldName
        }
        let trimmed = ASCII.trimmingBlanks(line[(colon + 1)...])
        guard let value = String(validating: trimmed, as: UTF8.self) else { throw .malformedFieldValue }
        self.init(name: String(decoding: line[..<colon], as: UTF8.self), value: value)
    }
}
