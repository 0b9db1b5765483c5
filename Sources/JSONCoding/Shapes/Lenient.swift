/// A member that can be missing or invalid. An invalid value counts as missing, so the object around it can still be
/// decoded.
///
///     @Lenient var title: String?       // nil for {}, {"title":null} and {"title":7}
///     @Lenient var loadSession: Bool    // false for {}, null and "yes"
///     @Lenient var args: [String]       // ["a"] for ["a",7]: invalid elements are left out
///
/// The value that means absence is written only if it was read: `false` is written if `false` was read.
@propertyWrapper
public struct Lenient<Value: AbsenceMeans>: Hashable {
    /// The value that was read or set, or `nil` for a missing member.
    fileprivate private(set) var present: Value?

    /// The value that was read or set, or the value that means absence.
    public var wrappedValue: Value {
        get { present ?? .absent }
        set { present = newValue == .absent ? nil : newValue }
    }

    public init(wrappedValue: Value) {
        present = nil
        self.wrappedValue = wrappedValue
    }

    fileprivate init(read value: Value?) { present = value }

    public static func == (left: Lenient, right: Lenient) -> Bool { left.wrappedValue == right.wrappedValue }

    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension Lenient: Sendable where Value: Sendable {}

/// A type with a value that replaces a missing member.
public protocol AbsenceMeans: Hashable, Codable {
    static var absent: Self { get }
}

extension Optional: AbsenceMeans where Wrapped: Hashable & Codable {
    public static var absent: Wrapped? { nil }
}

extension Array: AbsenceMeans where Element: Hashable & Codable {
    public static var absent: [Element] { [] }
}

extension Dictionary: AbsenceMeans where Key: Codable, Value: Hashable & Codable {
    public static var absent: [Key: Value] { [:] }
}

extension Bool: AbsenceMeans {
    public static var absent: Bool { false }
}

// MARK: - Coding

extension Lenient: Codable {
    public init(from decoder: any Decoder) throws { self.init(read: try? Value(from: decoder)) }

    public func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

/// Synthesised code calls these methods for properties of this type.
extension KeyedDecodingContainer {
    public func decode<Value>(_ type: Lenient<Value>.Type, forKey key: Key) throws -> Lenient<Value> {
        Lenient(read: try? decodeIfPresent(Value.self, forKey: key))
    }

    public func decode<Value>(_ type: Lenient<Value?>.Type, forKey key: Key) throws -> Lenient<Value?> {
        Lenient(read: (try? decodeIfPresent(Value.self, forKey: key)).map(Optional.some))
    }

    public func decode<Element>(_ type: Lenient<[Element]>.Type, forKey key: Key) throws -> Lenient<[Element]> {
        Lenient(read: try? decodeIfPresent(Readable<Element>.self, forKey: key)?.elements)
    }

    public func decode<Element>(_ type: Lenient<[Element]?>.Type, forKey key: Key) throws -> Lenient<[Element]?> {
        Lenient(read: (try? decodeIfPresent(Readable<Element>.self, forKey: key)?.elements).map(Optional.some))
    }
}

extension KeyedEncodingContainer {
    /// Synthesised code calls this for properties of this type.
    public mutating func encode<Value>(_ value: Lenient<Value>, forKey key: Key) throws {
        if let present = value.present { try encode(present, forKey: key) }
    }
}

/// The elements of an array that can be decoded.
struct Readable<Element: Decodable>: Decodable {
    private(set) var elements: [Element] = []

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd {
            if let element = try? container.decode(Element.self) {
                elements.append(element)
            } else {
                _ = try container.decode(Anything.self)
            }
        }
    }

    /// Accepts any value without reading it.
    private struct Anything: Decodable {
        init(from decoder: any Decoder) {}
    }
}
