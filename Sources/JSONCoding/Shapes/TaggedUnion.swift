/// An object whose kind is told by one of its members, and which may be of a kind that is not known yet: that one is
/// kept whole, and written back as it came.
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
    /// The member that tells the kind.
    static var tagName: String { get }

    /// Reads the members beside the tag. Throws for a known kind whose members are bad; `tag` is `nil` where there is
    /// none, which is an unknown kind too unless the union gives it a meaning.
    init(tag: String?, from decoder: any Decoder) throws

    /// The tag, and what else is to be written.
    var variant: Variant { get }
}

/// What a tagged union writes: an object, and the tag beside its members.
public struct Variant {
    fileprivate let tag: String?
    fileprivate let value: any Encodable

    /// Without a tag, the object's own members tell what it is.
    public init(_ tag: String?, _ value: some Encodable) {
        self.tag = tag
        self.value = value
    }

    /// All that was read, as it is spelt.
    public init(_ unknown: UnknownVariant) { self.init(nil, unknown.raw) }
}

/// An object of a kind that is not known.
public struct UnknownVariant: Hashable, Sendable {
    /// What the tag says; `nil` where there is none.
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
    /// True when the object has a member of that name, for unions whose kinds have no tag. Throws where no object is.
    public func hasMember(_ name: String) throws -> Bool {
        try container(keyedBy: PathKey.self).contains(.member(name))
    }
}
