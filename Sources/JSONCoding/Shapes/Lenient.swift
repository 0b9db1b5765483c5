/// A member that may be missing, and whose bad value counts as missing: the object around it is read all the same.
///
///     @Lenient var title: String?       // nil for {}, {"title":null} and {"title":7}
///     @Lenient var loadSession: Bool    // false for {}, null and "yes"
///     @Lenient var args: [String]       // ["a"] for ["a",7]: bad elements are left out
///
/// What absence means is not written, unless it was read: `false` is written where `false` was read.
@propertyWrapper
public struct Lenient<Value: AbsenceMeans>: Hashable {
    /// What was read or set; `nil` for a member that is not there.
    fileprivate private(set) var present: Value?

    /// What was read or set, or what absence means.
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

/// A type with a value that a missing member means.
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

/// What synthesised code calls for properties of this type.
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
    /// What synthesised code calls for properties of this type.
    public mutating func encode<Value>(_ value: Lenient<Value>, forKey key: Key) throws {
        if let present = value.present { try encode(present, forKey: key) }
    }
}

/// Those elements of an array that can be read.
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

    /// Reads any value, by not looking at it.
    private struct Anything: Decodable {
        init(from decoder: any Decoder) {}
    }
}
