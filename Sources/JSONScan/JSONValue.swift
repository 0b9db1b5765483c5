/// One validated JSON value, stored as the bytes that were received. Each part is decoded on access.
///
/// Use it on paths that run once per request, not once per line. A value taken out of another one shares its bytes, so
/// it keeps the whole text alive. Use `detached` to copy a small part of a large text that is stored for long.
///
///     let value = try JSONValue(validating: Array(#"{"limit":50,"sessionId":"s1"}"#.utf8))
///     value["limit"]?.int64Value  // 50
public struct JSONValue: Sendable {
    /// The six kinds of JSON value. `true` and `false` are one kind.
    public enum Kind: Sendable {
        case object, array, string, number, boolean, null
    }

    let storage: [UInt8]
    let range: Range<Int>

    /// Reads one JSON text by the rules of `scanEnvelope`: strict RFC 8259, at most 512 levels deep.
    public init(validating text: [UInt8]) throws(JSONSyntaxError) {
        // A slice has a span on macOS 15, and an array only on macOS 26.
        let whole = text[...]
        var cursor = Cursor()
        cursor.skipWhiteSpace(whole.span)
        let start = cursor.offset
        try cursor.skipValue(whole.span)
        let end = cursor.offset
        try cursor.finish(whole.span)
        self.init(storage: text, range: start..<end)
    }

    /// Same as `init(validating:)` for an array, but for bytes in other memory. They are copied once.
    public init(validating text: Span<UInt8>) throws(JSONSyntaxError) {
        try self.init(validating: text.withUnsafeBufferPointer(Array.init))
    }

    /// `range` must be the range of one value in an already validated text.
    init(storage: [UInt8], range: Range<Int>) {
        self.storage = storage
        self.range = range
    }

    /// Determined by the first byte alone.
    public var kind: Kind {
        switch storage[range.lowerBound] {
        case .openBrace: .object
        case .openBracket: .array
        case .quote: .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
        case UInt8(ascii: "n"): .null
        default: .number
        }
    }

    /// The text of the value, without the white space around it. The bytes are not copied.
    public var rawText: ArraySlice<UInt8> { storage[range] }

    /// The same value with its own copy of the bytes, so that it does not keep a longer text alive.
    public func detached() -> JSONValue {
        range.count == storage.count ? self : JSONValue(storage: Array(rawText), range: 0..<range.count)
    }

    /// Same as `rawText`. Valid JSON is valid UTF-8, so nothing is lost.
    public var rawString: String { String(decoding: rawText, as: UTF8.self) }
}
