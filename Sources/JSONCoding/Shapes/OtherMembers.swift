/// The members of an object that its type does not name, as they are spelt: what a newer peer says, or another one
/// understands. Written back beside the members that the type names.
///
///     struct Note: Codable {
///         var text: String
///         var otherMembers = OtherMembers()
///     }
///     // {"text":"a","color":"red"} keeps "color", and is written as {"text":"a","color":"red"}
///
/// The property's own name is of no consequence on the wire. A type that is part of another one's object, as a tagged
/// union's case is, leaves out what `Decoder.taking(_:)` names. Coders other than ours lose these members on
/// reading, and write them as one member of the property's name.
public struct OtherMembers: Hashable, Sendable {
    private var members = Members<RawJSON>()

    public init() {}

    /// True when the type names all that was read.
    public var isEmpty: Bool { members.isEmpty }

    /// In the order of the text.
    public var names: [String] { members.map(\.name) }

    /// The value of that name. `nil` takes the member away.
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
    /// What synthesised code calls for a property of this type; there need be no member of its name.
    public func decode(_ type: OtherMembers.Type, forKey key: Key) throws -> OtherMembers {
        (try? decodeAsAnyOther(type, forKey: key)) ?? OtherMembers()
    }

    private func decodeAsAnyOther<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decode(type, forKey: key)
    }
}

extension KeyedEncodingContainer {
    /// What synthesised code calls for a property of this type.
    public mutating func encode(_ members: OtherMembers, forKey key: Key) throws {
        if !members.isEmpty { try encodeAsAnyOther(members, forKey: key) }
    }

    private mutating func encodeAsAnyOther(_ value: some Encodable, forKey key: Key) throws {
        try encode(value, forKey: key)
    }
}

extension Decoder {
    /// A decoder of the same value, in which `names` are spoken for: they count as other members no more.
    public func taking(_ names: String...) -> any Decoder { taking(names) }

    /// As `taking` of single names.
    public func taking(_ names: [String]) -> any Decoder {
        guard var decoder = self as? ValueDecoder else { return self }
        decoder.taken += names
        return decoder
    }
}
