import JSONScan

/// Decodes `Decodable` types from JSON text, by the strict rules of `JSONScan` and without Foundation.
///
///     struct Point: Decodable { var x: Int, y: Int }
///     try JSONTextDecoder().decode(Point.self, from: Array(#"{"x":1,"y":2e3}"#.utf8))
///
/// - Integers are exact. `1e3` and `1.0` are whole and are accepted; `1.5` and numbers that do not fit are errors.
/// - A double is the nearest one to the number. `1e999` is an error.
/// - If several members have the same name, the last one counts, as in JavaScript. Unknown members are ignored.
/// - `RawJSON` keeps the text of a value unchanged.
/// - A text can nest 512 levels deep. A type that recurses that deep uses less than 1 MiB of stack, or 2 MiB in a debug
///   build, so no text overflows the 8 MiB of a thread on Linux. The time is proportional to the text.
public struct JSONTextDecoder: Sendable {
    /// Custom decoding for types without a JSON form, such as a date.
    public var conversions = DecodingConversions()

    /// Passed to every type's `init(from:)`.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    public init() {}

    /// Decodes a whole text. Every error that a type throws meanwhile is converted to a `JSONCodingError`.
    public func decode<Value: Decodable>(_ type: Value.Type, from text: [UInt8]) throws(JSONCodingError) -> Value {
        let outline: JSONOutline
        do throws(JSONSyntaxError) {
            outline = try JSONOutline(text)
        } catch {
            throw .syntax(error)
        }
        return try decode(type, from: outline)
    }

    /// Same as `decode` for an array, but for a text that is part of a larger one. The text is copied once.
    public func decode<Value: Decodable>(
        _ type: Value.Type, from text: ArraySlice<UInt8>
    ) throws(JSONCodingError) -> Value {
        try decode(type, from: Array(text))
    }

    /// Decodes a value that was already taken out of a text.
    public func decode<Value: Decodable>(_ type: Value.Type, from value: JSONValue) throws(JSONCodingError) -> Value {
        try decode(type, from: Array(value.rawText))
    }

    private func decode<Value: Decodable>(
        _ type: Value.Type, from outline: JSONOutline
    ) throws(JSONCodingError) -> Value {
        let document = Document(outline, conversions: conversions, userInfo: userInfo)
        let root = Document.Place.value(outline.root)
        do {
            return try document.decode(type, at: root)
        } catch {
            let error = document.decodingError(for: error, at: root, expecting: type)
            throw error.codingError ?? .rejected(reason: "\(error)", found: "it", path: CodingPath())
        }
    }
}
