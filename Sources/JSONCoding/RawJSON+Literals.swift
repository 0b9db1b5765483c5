import JSONScan

/// Literals for JSON values, for example `["limit": 50, "tags": ["a", .null], "on": true]`.
///
/// There is no `nil` literal for `null`: an optional `RawJSON` would then have two meanings of `nil`.
extension RawJSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates a JSON string. To read a JSON text, use `init(validating:)`.
    public init(_ string: String) { self.init(trusting: JSONWriter.scalar(string)) }

    public init(_ bool: Bool) { self.init(trusting: JSONWriter.scalar(bool)) }

    public init(_ integer: some FixedWidthInteger) { self.init(trusting: Array(String(integer).utf8)) }

    /// Infinities and NaN become `null`, as in JavaScript.
    public init(_ number: Double) { self.init(trusting: JSONWriter.scalar(number)) }

    public init(_ elements: [RawJSON]) {
        self.init(trusting: JSONWriter.array { for element in elements { $0.element(raw: element.text) } })
    }

    /// Creates an object. The members keep their order.
    public init(_ members: [(name: String, value: RawJSON)]) {
        self.init(
            trusting: JSONWriter.object { for member in members { $0.member(member.name, raw: member.value.text) } })
    }

    /// The value `null`. It differs from a missing value.
    public static let null = RawJSON(trusting: Array("null".utf8))

    public init(stringLiteral value: String) { self.init(value) }
    public init(booleanLiteral value: Bool) { self.init(value) }
    public init(integerLiteral value: Int64) { self.init(value) }
    public init(floatLiteral value: Double) { self.init(value) }
    public init(arrayLiteral elements: RawJSON...) { self.init(elements) }
    public init(dictionaryLiteral elements: (String, RawJSON)...) {
        self.init(elements.map { (name: $0.0, value: $0.1) })
    }

    /// Creates a value from text that was just written. Text beyond the nesting limit becomes `null`.
    private init(trusting text: [UInt8]) {
        if let value = try? JSONValue(validating: text) {
            self.init(value)
        } else {
            self = .null
        }
    }
}
