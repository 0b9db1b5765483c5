import JSONScan

/// The `Decoder` that is passed to a type: a document and the place to read.
struct ValueDecoder: Decoder {
    let document: Document
    let place: Document.Place
    /// Members that do not count as other members, because an enclosing type reads them itself.
    var excludedNames: [String] = []

    var codingPath: [any CodingKey] { document.path(to: place) }
    var userInfo: [CodingUserInfoKey: Any] { document.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(try KeyedDecoding<Key>(document: document, place: place, excludedNames: excludedNames))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try UnkeyedDecoding(document: document, place: place)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        SingleValueDecoding(document: document, place: place)
    }

    /// The value at this place, or `nil` when there is none.
    var value: JSONValue? {
        guard case .value(let node) = place else { return nil }
        return document.outline.value(of: node)
    }
}

/// Decodes the place as a single value.
struct SingleValueDecoding: SingleValueDecodingContainer {
    let document: Document
    let place: Document.Place

    var codingPath: [any CodingKey] { document.path(to: place) }

    func decodeNil() -> Bool { document.isNull(at: place) }
    func decode(_ type: Bool.Type) throws -> Bool { try document.bool(at: place) }
    func decode(_ type: String.Type) throws -> String { try document.string(at: place) }
    func decode(_ type: Double.Type) throws -> Double { try document.floatingPoint(type, at: place) }
    func decode(_ type: Float.Type) throws -> Float { try document.floatingPoint(type, at: place) }
    func decode(_ type: Int.Type) throws -> Int { try document.integer(type, at: place) }
    func decode(_ type: Int8.Type) throws -> Int8 { try document.integer(type, at: place) }
    func decode(_ type: Int16.Type) throws -> Int16 { try document.integer(type, at: place) }
    func decode(_ type: Int32.Type) throws -> Int32 { try document.integer(type, at: place) }
    func decode(_ type: Int64.Type) throws -> Int64 { try document.integer(type, at: place) }
    func decode(_ type: Int128.Type) throws -> Int128 { try document.integer(type, at: place) }
    func decode(_ type: UInt.Type) throws -> UInt { try document.integer(type, at: place) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try document.integer(type, at: place) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try document.integer(type, at: place) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try document.integer(type, at: place) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try document.integer(type, at: place) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try document.integer(type, at: place) }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try document.decode(type, at: place) }
}
