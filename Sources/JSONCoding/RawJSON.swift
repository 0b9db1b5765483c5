import JSONScan

/// One JSON value with its exact spelling: numbers of any length, the order of members, escapes, white space inside.
///
/// Use it for values that are forwarded unchanged: unknown cases, `_meta`, tool input. `JSONTextDecoder` keeps the text
/// and `JSONTextEncoder` writes it unchanged. Other coders, such as Foundation's, cannot do that. With them, the value
/// is built from its parts, so the spelling is lost and numbers beyond `Double` and `UInt64` are rounded.
///
/// Two values are equal when their texts have the same bytes.
public struct RawJSON: Sendable {
    /// The value. It has its own copy of the bytes.
    public let value: JSONValue

    /// Copies the bytes, so that a small value does not keep a large text alive.
    public init(_ value: JSONValue) {
        self.value = value.detached()
    }

    /// Reads one JSON text, strictly by RFC 8259 and at most 512 levels deep. White space around the value is dropped.
    public init(validating text: [UInt8]) throws(JSONSyntaxError) {
        self.init(try JSONValue(validating: text))
    }

    /// Same as `init(validating:)` for bytes.
    public init(validating text: String) throws(JSONSyntaxError) {
        try self.init(validating: Array(text.utf8))
    }

    /// Encodes a value and stores its text.
    public init(encoding value: some Encodable, by encoder: JSONTextEncoder = .init()) throws(JSONCodingError) {
        let text = try encoder.encode(value)
        do throws(JSONSyntaxError) {
            try self.init(validating: text)
        } catch {
            throw .syntax(error)
        }
    }

    /// The member with that name. `nil` when the member does not exist, or when this is not an object.
    public subscript(name: String) -> RawJSON? { value[name].map { RawJSON($0) } }

    /// The JSON text.
    public var text: ArraySlice<UInt8> { value.rawText }

    /// Decodes the value as `type`. Paths in errors start at this value.
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
