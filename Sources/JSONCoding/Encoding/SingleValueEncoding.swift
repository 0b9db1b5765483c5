/// Encodes the encoder's single value. If several values are encoded, the last one counts.
struct SingleValueEncoding: SingleValueEncodingContainer {
    let encoder: ValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() { encoder.value = .null }
    func encode(_ value: Bool) { encoder.value = .bool(value) }
    func encode(_ value: String) { encoder.value = .string(value) }
    func encode(_ value: Double) throws { encoder.value = try encoder.number(value) }
    func encode(_ value: Float) throws { encoder.value = try encoder.number(value) }
    func encode(_ value: Int) { encoder.value = EncodedValue(value) }
    func encode(_ value: Int8) { encoder.value = EncodedValue(value) }
    func encode(_ value: Int16) { encoder.value = EncodedValue(value) }
    func encode(_ value: Int32) { encoder.value = EncodedValue(value) }
    func encode(_ value: Int64) { encoder.value = EncodedValue(value) }
    func encode(_ value: Int128) { encoder.value = EncodedValue(value) }
    func encode(_ value: UInt) { encoder.value = EncodedValue(value) }
    func encode(_ value: UInt8) { encoder.value = EncodedValue(value) }
    func encode(_ value: UInt16) { encoder.value = EncodedValue(value) }
    func encode(_ value: UInt32) { encoder.value = EncodedValue(value) }
    func encode(_ value: UInt64) { encoder.value = EncodedValue(value) }
    func encode(_ value: UInt128) { encoder.value = EncodedValue(value) }

    func encode(_ value: some Encodable) throws {
        let inner = ValueEncoder(
            encoder.settings, path: encoder.path, depth: encoder.depth, calls: encoder.calls + 1)
        try inner.encode(value)
        encoder.value = inner.value
    }
}
