import JSONCoding

extension ACP {
    /// Content of a prompt, of an answer or of a tool's output. Schema: `ContentBlock`.
    public enum ContentBlock: TaggedUnion {
        /// Text; all agents accept it.
        case text(TextContent)
        /// An image.
        case image(ImageContent)
        /// Audio.
        case audio(AudioContent)
        /// A link to a resource that the agent can read by itself; all agents accept it.
        case resourceLink(ResourceLink)
        /// A resource, including its contents.
        case resource(EmbeddedResource)
        /// An unknown kind; its JSON is kept unchanged.
        case unknown(UnknownVariant)

        public static let tagName = "type"

        public init(tag: String?, from decoder: any Decoder) throws {
            switch tag {
            case "text": self = .text(try TextContent(from: decoder))
            case "image": self = .image(try ImageContent(from: decoder))
            case "audio": self = .audio(try AudioContent(from: decoder))
            case "resource_link": self = .resourceLink(try ResourceLink(from: decoder))
            case "resource": self = .resource(try EmbeddedResource(from: decoder))
            default: self = .unknown(try UnknownVariant(tag, from: decoder))
            }
        }

        public var variant: Variant {
            switch self {
            case .text(let value): Variant("text", value)
            case .image(let value): Variant("image", value)
            case .audio(let value): Variant("audio", value)
            case .resourceLink(let value): Variant("resource_link", value)
            case .resource(let value): Variant("resource", value)
            case .unknown(let value): Variant(value)
            }
        }
    }
}

extension ACP.ContentBlock: ExpressibleByStringLiteral {
    /// `"hello"` is `.text(TextContent(text: "hello"))`.
    public init(stringLiteral value: String) { self = .text(ACP.TextContent(text: value)) }
}
