import JSONScan

/// Decodes the elements of an array in order. As the standard library requires, an element that cannot be decoded is
/// not skipped: the next call tries it again.
struct UnkeyedDecoding: UnkeyedDecodingContainer {
    private let document: Document
    private let array: JSONOutline.Node
    private var next: JSONOutline.Node?
    private(set) var currentIndex = 0

    init(document: Document, place: Document.Place) throws {
        guard case .value(let node) = place, document.outline.kind(of: node) == .array else {
            throw document.mismatch(expected: "array", at: place)
        }
        self.document = document
        array = node
        next = document.outline.firstChild(of: node)
    }

    var codingPath: [any CodingKey] { document.path(to: .value(array)) }
    var count: Int? { document.outline.count(of: array) }
    var isAtEnd: Bool { next == nil }

    private mutating func advance<Value>(_ decode: (Document, Document.Place) throws -> Value) throws -> Value {
        let value = try decode(document, next.map(Document.Place.value) ?? .missingElement(in: array))
        if let node = next {
            next = document.outline.sibling(after: node)
            currentIndex += 1
        }
        return value
    }

    // MARK: Values

    mutating func decodeNil() throws -> Bool {
        guard let node = next, document.isNull(at: .value(node)) else { return false }
        return try advance { _, _ in true }
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try advance { try $0.bool(at: $1) } }
    mutating func decode(_ type: String.Type) throws -> String { try advance { try $0.string(at: $1) } }
    mutating func decode(_ type: Double.Type) throws -> Double {
        try advance { try $0.floatingPoint(type, at: $1) }
    }
    mutating func decode(_ type: Float.Type) throws -> Float {
        try advance { try $0.floatingPoint(type, at: $1) }
    }
    mutating func decode(_ type: Int.Type) throws -> Int { try integer(type) }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try integer(type) }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try integer(type) }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try advance { try $0.decode(type, at: $1) }
    }

    private mutating func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer {
        try advance { try $0.integer(type, at: $1) }
    }

    // MARK: Containers

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try advance { try ValueDecoder(document: $0, place: $1).container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try advance { try ValueDecoder(document: $0, place: $1).unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder {
        try advance { ValueDecoder(document: $0, place: $1) }
    }
}
