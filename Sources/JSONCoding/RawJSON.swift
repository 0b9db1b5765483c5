import JSONScan

/// One JSON value exactly as it is spelt: numbers of any length, members in their order, escapes, white space inside.
///
/// For what is to be handed on unchanged: unknown cases, `_meta`, tool input. `JSONTextDecoder` takes the text as it
/// stands and `JSONTextEncoder` writes it untouched. Other coders, Foundation's for example, cannot: with them the value
/// is built from its parts, so that the spelling is lost and numbers beyond `Double` and `UInt64` are rounded.
///
/// Two are equal when their texts are the same bytes.
public struct RawJSON: Sendable {
    /// The value, with bytes of its own.
    public let value: JSONValue

    /// Copies the bytes, so that a small value does not keep a large text alive.
    public init(_ value: JSONValue) {
        self.value = value.detached()
    }

    /// Takes one JSON text, strictly by RFC 8259 and at most 512 levels deep. White space around it is dropped.
    public init(validating text: [UInt8]) throws(JSONSyntaxError) {
        self.init(try JSONValue(validating: text))
    }

    /// As `init(validating:)` of bytes.
    public init(validating text: String) throws(JSONSyntaxError) {
        try self.init(validating: Array(text.utf8))
    }

    /// The text of anything that can be encoded.
    public init(encoding value: some Encodable, by encoder: JSONTextEncoder = .init()) throws(JSONCodingError) {
        let text = try encoder.encode(value)
        do throws(JSONSyntaxError) {
            try self.init(validating: text)
        } catch {
            throw .syntax(error)
        }
    }

    /// The member of that name; `nil` when there is none, or when this is no object.
    public subscript(name: String) -> RawJSON? { value[name].map { RawJSON($0) } }

    /// The JSON text.
    public var text: ArraySlice<UInt8> { value.rawText }

    /// The value read as `type`. Paths in errors begin at this value.
    public func decode<Value: Decodable>(
        as type: Value.Type, by decoder: JSONTextDecoder = .init()
    ) throws(JSONCodingError) -> Value {
        try decoder.decode(type, from: value)
    }
}

extension RawJSON: Hashable {
    public static func == (left: RawJSON, right: RawJSON) -> Bool { left.text == right.text }

    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension RawJSON: CustomStringConvertible {
    /// The JSON text.
    public var description: String { value.rawString }
}
