/// An object's members by name, in their order: a form's fields, for example, where a dictionary would shuffle them.
///
/// Names are unique. Finding one looks at each, so this is for objects of the size that people write.
public struct Members<Value> {
    /// A name and its value.
    public struct Member {
        /// Unescaped.
        public let name: String
        /// What stands behind the colon.
        public var value: Value

        public init(name: String, value: Value) {
            self.name = name
            self.value = value
        }
    }

    private var members: [Member] = []

    public init() {}

    /// The value of that name. A new name is put behind the others; `nil` takes the member away.
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

    /// For names that are known to be new.
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
    /// Of equal names the last counts, in the place of the first.
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
    /// Other decoders than ours give the members in an order of their own.
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
