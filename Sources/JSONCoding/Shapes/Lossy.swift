/// A required array. Its invalid elements are left out, and a value that is not an array counts as empty.
///
///     @Lossy var sessions: [SessionInfo]
@propertyWrapper
public struct Lossy<Element: Hashable & Codable>: Hashable {
    /// The valid elements.
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
    /// Synthesised code calls this for a property of this type.
    public func decode<Element>(_ type: Lossy<Element>.Type, forKey key: Key) throws -> Lossy<Element> {
        // If the member is missing, the error must name the type in the schema.
        guard contains(key) else { return Lossy(wrappedValue: try decode([Element].self, forKey: key)) }
        return Lossy(from: try superDecoder(forKey: key))
    }
}
