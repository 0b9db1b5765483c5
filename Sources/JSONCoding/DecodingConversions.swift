import JSONScan

/// How to read types whose own `init(from:)` is not wanted: dates, data, decimals, URLs.
///
///     decoder.conversions.add(Date.self) { $0.stringValue.flatMap(parseDate) }
///
/// They apply wherever such a type is decoded, inside optionals, arrays and dictionaries too.
public struct DecodingConversions: Sendable {
    private var conversions: [ObjectIdentifier: @Sendable (JSONValue) -> Any?] = [:]

    public init() {}

    /// Reads values of `type` by `conversion` from now on. Where it returns `nil`, the error says that a `type` was
    /// expected, where, and what stands there.
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
