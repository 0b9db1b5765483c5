/// A member for which missing and `null` differ: a change to a value that can also be cleared.
///
///     {}                 // unchanged
///     {"title":null}     // cleared
///     {"title":"Tests"}  // set
///
/// A value that cannot be decoded counts as unchanged. Of an array, only the invalid elements are left out.
public enum Patch<Value: Hashable & Codable>: Hashable {
    case unchanged
    case cleared
    case set(Value)

    /// The new value after this change is applied to `value`.
    public func applied(to value: Value?) -> Value? {
        switch self {
        case .unchanged: value
        case .cleared: nil
        case .set(let new): new
        }
    }
}

extension Patch: Sendable where Value: Sendable {}

extension Patch: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .cleared
        } else {
            self = (try? container.decode(Value.self)).map(Patch.set) ?? .unchanged
        }
    }

    /// Inside an object, use the container's `encode`, which leaves out an unchanged member.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if case .set(let value) = self { try container.encode(value) } else { try container.encodeNil() }
    }
}

extension KeyedDecodingContainer {
    /// Synthesised code calls this for a property of this type.
    public func decode<Value>(_ type: Patch<Value>.Type, forKey key: Key) throws -> Patch<Value> {
        contains(key) ? try Patch(from: superDecoder(forKey: key)) : .unchanged
    }

    public func decode<Element>(_ type: Patch<[Element]>.Type, forKey key: Key) throws -> Patch<[Element]> {
        guard contains(key) else { return .unchanged }
        guard try !decodeNil(forKey: key) else { return .cleared }
        return (try? decode(Readable<Element>.self, forKey: key)).map { .set($0.elements) } ?? .unchanged
    }
}

extension KeyedEncodingContainer {
    /// Synthesised code calls this for a property of this type.
    public mutating func encode<Value>(_ patch: Patch<Value>, forKey key: Key) throws {
        switch patch {
        case .unchanged: break
        case .cleared: try encodeNil(forKey: key)
        case .set(let value): try encode(value, forKey: key)
        }
    }
}
