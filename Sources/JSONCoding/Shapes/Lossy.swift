/// An array that must be there, of which bad elements are left out; a value that is no array counts as empty.
///
///     @Lossy var sessions: [SessionInfo]
@propertyWrapper
public struct Lossy<Element: Hashable & Codable>: Hashable {
    /// The good elements.
    public var wrappedValue: [Element]

    public init(wrappedValue: [Element]) { self.wrappedValue = wrappedValue }
}

extension Lossy: Sendable where Element: Sendable {}

extension Lossy: Codable {
    public init(from decoder: any Decoder) {
        wrappedValue = (try? Readable<Element>(from: decoder))?.elements ?? []
    }

    public func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

extension KeyedDecodingContainer {
    /// What synthesised code calls for a property of this type.
    public func decode<Element>(_ type: Lossy<Element>.Type, forKey key: Key) throws -> Lossy<Element> {
        // Where the member is missing, the error is to name what the schema names.
        guard contains(key) else { return Lossy(wrappedValue: try decode([Element].self, forKey: key)) }
        return Lossy(from: try superDecoder(forKey: key))
    }
}
