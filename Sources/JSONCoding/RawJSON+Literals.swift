import JSONScan

/// `["limit": 50, "tags": ["a", .null], "on": true]` is that JSON.
///
/// There is no `nil` for `null`: an optional `RawJSON` would then have two.
extension RawJSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A JSON string; `init(validating:)` takes a JSON text.
    public init(_ string: String) { self.init(trusting: JSONWriter.scalar(string)) }

    public init(_ bool: Bool) { self.init(trusting: JSONWriter.scalar(bool)) }

    public init(_ integer: some FixedWidthInteger) { self.init(trusting: Array(String(integer).utf8)) }

    /// `null` for infinities and NaN, as in JavaScript.
    public init(_ number: Double) { self.init(trusting: JSONWriter.scalar(number)) }

    public init(_ elements: [RawJSON]) {
        self.init(trusting: JSONWriter.array { for element in elements { $0.element(raw: element.text) } })
    }

    /// The members in the order they are given.
    public init(_ members: [(name: String, value: RawJSON)]) {
        self.init(
            trusting: JSONWriter.object { for member in members { $0.member(member.name, raw: member.value.text) } })
    }

    /// The value `null`, which is not the absence of a value.
    public static let null = RawJSON(trusting: Array("null".utf8))

    public init(stringLiteral value: String) { self.init(value) }
    public init(booleanLiteral value: Bool) { self.init(value) }
    public init(integerLiteral value: Int64) { self.init(value) }
    public init(floatLiteral value: Double) { self.init(value) }
    public init(arrayLiteral elements: RawJSON...) { self.init(elements) }
    public init(dictionaryLiteral elements: (String, RawJSON)...) {
        self.init(elements.map { (name: $0.0, value: $0.1) })
    }

    /// Text that was just written. Nested beyond what may be read, it becomes `null`.
    private init(trusting text: [UInt8]) {
        if let value = try? JSONValue(validating: text) {
            self.init(value)
        } else {
            self = .null
        }
    }
}
