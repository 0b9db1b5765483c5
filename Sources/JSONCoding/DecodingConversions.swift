import JSONScan

/// Custom decoding for types that should not use their own `init(from:)`: dates, data, decimals, URLs.
///
///     decoder.conversions.add(Date.self) { $0.stringValue.flatMap(parseDate) }
///
/// A conversion applies wherever its type is decoded, also inside optionals, arrays and dictionaries.
public struct DecodingConversions: Sendable {
    private var conversions: [ObjectIdentifier: @Sendable (JSONValue) -> Any?] = [:]

    public init() {}

    /// Registers `conversion` for values of `type`. If it returns `nil`, the error names `type`, the path and the value
    /// found.
    public mutating func add<Value>(
        _ type: Value.Type, _ conversion: @escaping @Sendable (JSONValue) -> Value?
    ) {
        conversions[ObjectIdentifier(type)] = conversion
    }

    @inline(__always)
    func conversion(for type: Any.Type) -> (@Sendable (JSONValue) -> Any?)? {
        if conversions.isEmpty { return nil }
        return conversions[ObjectIdentifier(type)]
    }
}
