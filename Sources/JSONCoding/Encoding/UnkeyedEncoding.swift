/// Encodes the elements of an array.
struct UnkeyedEncoding: UnkeyedEncodingContainer {
    private let encoder: ValueEncoder
    private let array: EncodedArray

    init(_ encoder: ValueEncoder, _ array: EncodedArray) {
        self.encoder = encoder
        self.array = array
    }

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { array.elements.count }

    private func append(_ value: EncodedValue) { array.elements.append(value) }

    // MARK: Values

    func encodeNil() { append(.null) }
    func encode(_ value: Bool) { append(.bool(value)) }
    func encode(_ value: String) { append(.string(value)) }
    func encode(_ value: Double) throws { append(try child().number(value)) }
    func encode(_ value: Float) throws { append(try child().number(value)) }
    func encode(_ value: Int) { append(EncodedValue(value)) }
    func encode(_ value: Int8) { append(EncodedValue(value)) }
    func encode(_ value: Int16) { append(EncodedValue(value)) }
    func encode(_ value: Int32) { append(EncodedValue(value)) }
    func encode(_ value: Int64) { append(EncodedValue(value)) }
    func encode(_ value: Int128) { append(EncodedValue(value)) }
    func encode(_ value: UInt) { append(EncodedValue(value)) }
    func encode(_ value: UInt8) { append(EncodedValue(value)) }
    func encode(_ value: UInt16) { append(EncodedValue(value)) }
    func encode(_ value: UInt32) { append(EncodedValue(value)) }
    func encode(_ value: UInt64) { append(EncodedValue(value)) }
    func encode(_ value: UInt128) { append(EncodedValue(value)) }

    func encode(_ value: some Encodable) throws {
        let child = child()
        try child.encode(value)
        append(child.value)
    }

    // MARK: Containers

    func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        deferred().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { deferred().unkeyedContainer() }

    func superEncoder() -> any Encoder { deferred() }

    private func child() -> ValueEncoder { encoder.child(PathKey.element(count)) }

    private func deferred() -> ValueEncoder {
        let child = child()
        append(.deferred(child))
        return child
    }
}
