/// Encodes the members of an object.
struct KeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let encoder: ValueEncoder
    private let object: EncodedObject

    init(_ encoder: ValueEncoder, _ object: EncodedObject) {
        self.encoder = encoder
        self.object = object
    }

    var codingPath: [any CodingKey] { encoder.codingPath }

    private func set(_ key: Key, _ value: EncodedValue) { object.set(key.stringValue, value) }

    // MARK: Values

    func encodeNil(forKey key: Key) { set(key, .null) }
    func encode(_ value: Bool, forKey key: Key) { set(key, .bool(value)) }
    func encode(_ value: String, forKey key: Key) { set(key, .string(value)) }
    func encode(_ value: Double, forKey key: Key) throws { set(key, try encoder.child(key).number(value)) }
    func encode(_ value: Float, forKey key: Key) throws { set(key, try encoder.child(key).number(value)) }
    func encode(_ value: Int, forKey key: Key) { set(key, EncodedValue(value)) }
    func encode(_ value: Int8, forKey key: Key) { set(key, EncodedValue(value)) }
    func encode(_ value: Int16, forKey key: Key) { set(key, EncodedValue(value)) }
    func encode(_ value: Int32, forKey key: Key) { set(key, EncodedValue(value)) }
    func encode(_ value: Int64, forKey key: Key) { set(key, EncodedValue(value)) }
    func encode(_ value: Int128, forKey key: Key) { set(key, EncodedValue(value)) }
    func encode(_ value: UInt, forKey key: Key) { set(key, EncodedValue(value)) }
    func encode(_ value: UInt8, forKey key: Key) { set(key, EncodedValue(value)) }
    func encode(_ value: UInt16, forKey key: Key) { set(key, EncodedValue(value)) }
    func encode(_ value: UInt32, forKey key: Key) { set(key, EncodedValue(value)) }
    func encode(_ value: UInt64, forKey key: Key) { set(key, EncodedValue(value)) }
    func encode(_ value: UInt128, forKey key: Key) { set(key, EncodedValue(value)) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        if Value.self == OtherMembers.self, let others = value as? OtherMembers {
            return others.forEach { object.set($0, .raw($1)) }
        }
        let child = encoder.child(key)
        try child.encode(value)
        set(key, child.value)
    }

    // MARK: Containers

    /// A second call for the same key continues the same container.
    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        child(continuing: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        child(continuing: key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { deferred(PathKey.super) }

    func superEncoder(forKey key: Key) -> any Encoder { deferred(key) }

    private func child(continuing key: Key) -> ValueEncoder {
        if case .deferred(let child) = object[key.stringValue] { return child }
        return deferred(key)
    }

    private func deferred(_ key: some CodingKey) -> ValueEncoder {
        let child = encoder.child(key)
        object.set(key.stringValue, .deferred(child))
        return child
    }
}
