import JSONScan

/// Decodes the members of an object by name.
struct KeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let document: Document
    private let object: JSONOutline.Node
    private let members: MemberIndex
    private let excludedNames: [String]

    init(document: Document, place: Document.Place, excludedNames: [String]) throws {
        guard case .value(let node) = place, document.outline.kind(of: node) == .object else {
            throw document.mismatch(expected: "object", at: place)
        }
        self.document = document
        object = node
        self.excludedNames = excludedNames
        members = MemberIndex(document.outline, of: node)
    }

    var codingPath: [any CodingKey] { document.path(to: .value(object)) }

    var allKeys: [Key] { members.all(document.outline).compactMap { Key(stringValue: $0.name) } }

    func contains(_ key: Key) -> Bool { members.node(key.stringValue, in: document.outline) != nil }

    private func place(of key: some CodingKey) -> Document.Place {
        guard let node = members.node(key.stringValue, in: document.outline) else {
            return .missingMember(in: object, key: key)
        }
        return .value(node)
    }

    // MARK: Values

    func decodeNil(forKey key: Key) throws -> Bool { document.isNull(at: place(of: key)) }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try document.bool(at: place(of: key)) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try document.string(at: place(of: key)) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try document.floatingPoint(type, at: place(of: key))
    }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
        try document.floatingPoint(type, at: place(of: key))
    }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try integer(type, key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try integer(type, key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try integer(type, key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try integer(type, key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try integer(type, key) }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try integer(type, key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try integer(type, key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(type, key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(type, key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(type, key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(type, key) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try integer(type, key) }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        if type == OtherMembers.self, let others = otherMembers(besides: key) as? Value { return others }
        return try document.decode(type, at: place(of: key))
    }

    /// The members that neither the type nor an enclosing type names. `property` is the property that stores them.
    private func otherMembers(besides property: Key) -> OtherMembers {
        var others = OtherMembers()
        let isOther = { (name: String) in
            !excludedNames.contains(name) && (Key(stringValue: name) == nil || name == property.stringValue)
        }
        for (name, node) in members.all(document.outline) where isOther(name) {
            others.append(name, RawJSON(document.outline.value(of: node)))
        }
        return others
    }

    private func integer<Integer: FixedWidthInteger>(_ type: Integer.Type, _ key: Key) throws -> Integer {
        try document.integer(type, at: place(of: key))
    }

    // MARK: Containers

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try decoder(for: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(for: key).unkeyedContainer()
    }

    /// If the member is missing, decoding from the result throws the error.
    func superDecoder() -> any Decoder { decoder(for: PathKey.super) }

    func superDecoder(forKey key: Key) -> any Decoder { decoder(for: key) }

    private func decoder(for key: some CodingKey) -> ValueDecoder {
        ValueDecoder(document: document, place: place(of: key))
    }
}
