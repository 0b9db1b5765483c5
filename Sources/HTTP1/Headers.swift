/// Header fields in the order in which they were received or added. Names are compared case-insensitively (ASCII).
public struct Headers: Sendable, Equatable {
    public struct Field: Sendable, Equatable {
        public let name: String
        /// Without white space at either end.
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

    /// All values of the field, in order.
    public func all(_ name: String) -> [String] {
        fields.filter { ASCII.equalsIgnoringCase($0.name, name) }.map(\.value)
    }

    /// The elements of a comma-separated list, which can be spread over several fields. Empty elements are left out.
    ///
    /// `Connection: keep-alive, Upgrade` gives `["keep-alive", "Upgrade"]`. Source: RFC 9110, section 5.6.1.
    public func tokens(_ name: String) -> [String] {
        all(name).flatMap { value in
            value.utf8.split(separator: UInt8(ascii: ","))
                .map { String(decoding: ASCII.trimmingBlanks(ArraySlice($0)), as: UTF8.self) }
                .filter { !$0.isEmpty }
        }
    }

    /// True when the field's list contains this token in any case.
    public func contains(token: String, in name: String) -> Bool {
        tokens(name).contains { ASCII.equalsIgnoringCase($0, token) }
    }
}
