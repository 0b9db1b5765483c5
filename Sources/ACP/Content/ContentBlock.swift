import JSONCoding

extension ACP {
    /// Something to show: in a prompt, in an answer, in a tool's output. Schema: `ContentBlock`.
    public enum ContentBlock: TaggedUnion {
        /// Text; all agents take it.
        case text(TextContent)
        /// A picture.
        case image(ImageContent)
        /// Sound.
        case audio(AudioContent)
        /// A link to what the agent can read itself; all agents take it.
        case resourceLink(ResourceLink)
        /// What could be linked, with its contents.
        case resource(EmbeddedResource)
        /// A kind that is not known here, as it is spelt.
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
