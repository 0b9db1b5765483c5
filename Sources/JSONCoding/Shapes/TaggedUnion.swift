/// An object with a tag member that determines its kind. An object of an unknown kind is kept whole and written back
/// unchanged.
///
///     enum Block: TaggedUnion {
///         case text(Text), image(Image)
///         case unknown(UnknownVariant)
///
///         static let tagName = "type"
///         init(tag: String?, from decoder: any Decoder) throws {
///             switch tag {
///             case "text": self = .text(try Text(from: decoder))
///             case "image": self = .image(try Image(from: decoder))
///             default: self = .unknown(try UnknownVariant(tag, from: decoder))
///             }
///         }
///         var variant: Variant {
///             switch self {
///             case .text(let text): Variant("text", text)
///             case .image(let image): Variant("image", image)
///             case .unknown(let unknown): Variant(unknown)
///             }
///         }
///     }
///     // {"type":"text","text":"…"}
public protocol TaggedUnion: Hashable, Codable, Sendable {
    /// The name of the member that determines the kind.
    static var tagName: String { get }

    /// Reads the members other than the tag. Throws for a known kind with invalid members. `tag` is `nil` when the
    /// object has no tag, which is also an unknown kind unless the union defines a meaning for it.
    init(tag: String?, from decoder: any Decoder) throws

    /// The tag and the value with the remaining members.
    var variant: Variant { get }
}

/// The encoded form of a tagged union: an object, with the tag next to its members.
public struct Variant {
    fileprivate let tag: String?
    fileprivate let value: any Encodable

    /// If `tag` is nil, the object's other members determine the kind.
    public init(_ tag: String?, _ value: some Encodable) {
        self.tag = tag
        self.value = value
    }

    /// Writes everything that was read, unchanged.
    public init(_ unknown: UnknownVariant) { self.init(nil, unknown.raw) }
}

/// An object of an unknown kind.
public struct UnknownVariant: Hashable, Sendable {
    /// The tag, or `nil` when the object has none.
    public let tag: String?

    /// The whole object.
    public let raw: RawJSON

    public init(_ tag: String?, _ raw: RawJSON) {
        self.tag = tag
        self.raw = raw
    }

    public init(_ tag: String?, from decoder: any Decoder) throws {
        self.init(tag, try RawJSON(from: decoder))
    }
}

extension TaggedUnion {
    public init(from decoder: any Decoder) throws {
        let key = PathKey.member(Self.tagName)
        let tag = try decoder.container(keyedBy: PathKey.self).decodeIfPresent(String.self, forKey: key)
        try self.init(tag: tag, from: decoder.taking(Self.tagName))
    }

    public func encode(to encoder: any Encoder) throws {
        let variant = variant
        if let tag = variant.tag {
            var container = encoder.container(keyedBy: PathKey.self)
            try container.encode(tag, forKey: .member(Self.tagName))
        }
        try variant.value.encode(to: encoder)
    }
}

extension Decoder {
    /// True when the object has a member with that name, for unions without a tag. Throws when the value is not an
    /// object.
    public func hasMember(_ name: String) throws -> Bool {
        try container(keyedBy: PathKey.self).contains(.member(name))
    }
}
