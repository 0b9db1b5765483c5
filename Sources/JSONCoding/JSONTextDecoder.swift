import JSONScan

/// Reads `Decodable` types from JSON text, by the strict rules of `JSONScan` and without Foundation.
///
///     struct Point: Decodable { var x: Int, y: Int }
///     try JSONTextDecoder().decode(Point.self, from: Array(#"{"x":1,"y":2e3}"#.utf8))
///
/// - Integers are exact: `1e3` and `1.0` are whole and read as such, `1.5` and what does not fit are errors.
/// - A double is the nearest to the number; `1e999` is an error.
/// - Of members of one name the last counts, as in JavaScript. Unknown members are passed over.
/// - `RawJSON` keeps the text of a value as it is spelt.
/// - A text may nest 512 levels deep. A type that recurses as far takes less than 1 MiB of stack, 2 MiB in a debug build,
///   so that no text overflows the 8 MiB of a thread on Linux. Time is in proportion to the text.
public struct JSONTextDecoder: Sendable {
    /// How to read types that JSON has no form for, such as a date.
    public var conversions = DecodingConversions()

    /// Handed on to every type's `init(from:)`.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    public init() {}

    /// Reads a whole text. Whatever a type throws while it is read comes out as a `JSONCodingError`.
    public func decode<Value: Decodable>(_ type: Value.Type, from text: [UInt8]) throws(JSONCodingError) -> Value {
        let outline: JSONOutline
        do throws(JSONSyntaxError) {
            outline = try JSONOutline(text)
        } catch {
            throw .syntax(error)
        }
        return try decode(type, from: outline)
    }

    /// As `decode` of an array, for a text that is part of a larger one. It is copied once.
    public func decode<Value: Decodable>(
        _ type: Value.Type, from text: ArraySlice<UInt8>
    ) throws(JSONCodingError) -> Value {
        try decode(type, from: Array(text))
    }

    /// Reads a value that was taken out of a text before.
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
