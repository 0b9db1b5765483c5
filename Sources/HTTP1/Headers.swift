/// Header fields in the order they were received or added. Names are compared without regard to ASCII case.
public struct Headers: Sendable, Equatable {
    public struct Field: Sendable, Equatable {
        public let name: String
        /// Without blanks at either end.
        public let value: String
    }

    public private(set) var fields: [Field] = []

    public init() {}

    public init(_ fields: [(name: String, value: String)]) {
        for field in fields { append(field.name, field.value) }
    }

    public mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    public func first(_ name: String) -> String? {
        fields.first { ASCII.equalsIgnoringCase($0.name, name) }?.value
    }

    /// Every value of the field, in order.
    public func all(_ name: String) -> [String] {
        fields.filter { ASCII.equalsIgnoringCase($0.name, name) }.map(\.value)
    }

    /// The elements of a comma-separated list, which may be spread over several fields. Empty elements are left out.
    ///
    /// `Connection: keep-alive, Upgrade` gives `["keep-alive", "Upgrade"]`. Source: RFC 9110, section 5.6.1.
    public func tokens(_ name: String) -> [String] {
        all(name).flatMap { value in
            value.utf8.split(separator: UInt8(ascii: ","))
                .map { String(decoding: ASCII.trimmingBlanks(ArraySlice($0)), as: UTF8.self) }
                .filter { !$0.isEmpty }
        }
    }

    /// The field's list has this token, in whatever case.
    public func contains(token: String, in name: String) -> Bool {
        tokens(name).contains { ASCII.equalsIgnoringCase($0, token) }
    }
}
