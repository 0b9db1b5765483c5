/// An object's members by name, in their original order: for example the fields of a form, which a dictionary would
/// reorder.
///
/// Names are unique. A lookup is linear, so use this for objects of the size that people write.
public struct Members<Value> {
    /// A name and its value.
    public struct Member {
        /// The decoded name.
        public let name: String
        /// The member's value.
        public var value: Value

        public init(name: String, value: Value) {
            self.name = name
            self.value = value
        }
    }

    private var members: [Member] = []

    public init() {}

    /// The value with that name. A new name is added at the end. Setting `nil` removes the member.
    public subscript(name: String) -> Value? {
        get { members.first { $0.name == name }?.value }
        set {
            switch (members.firstIndex { $0.name == name }, newValue) {
            case (let place?, let value?): members[place].value = value
            case (let place?, nil): members.remove(at: place)
            case (nil, let value?): members.append(Member(name: name, value: value))
            case (nil, nil): break
            }
        }
    }

    /// Adds a member. The name must be new.
    mutating func append(_ name: String, _ value: Value) {
        members.append(Member(name: name, value: value))
    }
}

extension Members: RandomAccessCollection {
    public var startIndex: Int { members.startIndex }
    public var endIndex: Int { members.endIndex }
    public subscript(place: Int) -> Member { members[place] }
}

extension Members: ExpressibleByDictionaryLiteral {
    /// If a name is repeated, the last value counts and takes the first one's place.
    public init(dictionaryLiteral elements: (String, Value)...) {
        for (name, value) in elements { self[name] = value }
    }
}

extension Members.Member: Equatable where Value: Equatable {}
extension Members.Member: Hashable where Value: Hashable {}
extension Members.Member: Sendable where Value: Sendable {}
extension Members: Equatable where Value: Equatable {}
extension Members: Hashable where Value: Hashable {}
extension Members: Sendable where Value: Sendable {}

extension Members: Decodable where Value: Decodable {
    /// Other decoders return the members in their own order.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: PathKey.self)
        for key in container.allKeys { append(key.stringValue, try container.decode(Value.self, forKey: key)) }
    }
}

extension Members: Encodable where Value: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: PathKey.self)
        for member in members { try container.encode(member.value, forKey: .member(member.name)) }
    }
}
