/// The members of an object that its type does not name, with their exact spelling. They can come from a newer peer or
/// be meant for another reader. They are written back next to the members that the type names.
///
///     struct Note: Codable {
///         var text: String
///         var otherMembers = OtherMembers()
///     }
///     // {"text":"a","color":"red"} keeps "color", and is written as {"text":"a","color":"red"}
///
/// The name of the property does not matter on the wire. A type that is part of another type's object, such as a case
/// of a tagged union, leaves out the names that are passed to `Decoder.taking(_:)`. Other coders lose these members
/// when they decode, and write them as one member with the property's name.
public struct OtherMembers: Hashable, Sendable {
    private var members = Members<RawJSON>()

    public init() {}

    /// True when the type names all members that were read.
    public var isEmpty: Bool { members.isEmpty }

    /// The names in text order.
    public var names: [String] { members.map(\.name) }

    /// The value with that name. Setting `nil` removes the member.
    public subscript(name: String) -> RawJSON? {
        get { members[name] }
        set { members[name] = newValue }
    }

    mutating func append(_ name: String, _ value: RawJSON) { members.append(name, value) }

    func forEach(_ body: (String, RawJSON) -> Void) {
        for member in members { body(member.name, member.value) }
    }
}

extension OtherMembers: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, RawJSON)...) {
        for (name, value) in elements { self[name] = value }
    }
}

extension OtherMembers: Codable {
    public init(from decoder: any Decoder) throws { members = try Members(from: decoder) }

    public func encode(to encoder: any Encoder) throws { try members.encode(to: encoder) }
}

extension KeyedDecodingContainer {
    /// Synthesised code calls this for a property of this type. No member with the property's name is required.
    public func decode(_ type: OtherMembers.Type, forKey key: Key) throws -> OtherMembers {
        (try? decodeAsAnyOther(type, forKey: key)) ?? OtherMembers()
    }

    private func decodeAsAnyOther<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decode(type, forKey: key)
    }
}

extension KeyedEncodingContainer {
    /// Synthesised code calls this for a property of this type.
    public mutating func encode(_ members: OtherMembers, forKey key: Key) throws {
        if !members.isEmpty { try encodeAsAnyOther(members, forKey: key) }
    }

    private mutating func encodeAsAnyOther(_ value: some Encodable, forKey key: Key) throws {
        try encode(value, forKey: key)
    }
}

extension Decoder {
    /// A decoder of the same value in which `names` no longer count as other members.
    public func taking(_ names: String...) -> any Decoder { taking(names) }

    /// Same as `taking(_:)`, for an array of names.
    public func taking(_ names: [String]) -> any Decoder {
        guard var decoder = self as? ValueDecoder else { return self }
        decoder.excludedNames += names
        return decoder
    }
}
