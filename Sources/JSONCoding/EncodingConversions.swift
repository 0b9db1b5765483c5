/// Custom encoding for types that should not use their own `encode(to:)`; the counterpart of `DecodingConversions`.
///
///     encoder.conversions.add(Date.self) { RawJSON(formatDate($0)) }
public struct EncodingConversions: Sendable {
    private var conversions: [ObjectIdentifier: @Sendable (Any) -> RawJSON?] = [:]

    public init() {}

    /// Registers `conversion` for values of `type`. If it returns `nil`, the value cannot be encoded.
    public mutating func add<Value>(_ type: Value.Type, _ conversion: @escaping @Sendable (Value) -> RawJSON?) {
        conversions[ObjectIdentifier(type)] = { ($0 as? Value).flatMap(conversion) }
    }

    @inline(__always)
    func conversion(for type: Any.Type) -> (@Sendable (Any) -> RawJSON?)? {
        if conversions.isEmpty { return nil }
        return conversions[ObjectIdentifier(type)]
    }
}
