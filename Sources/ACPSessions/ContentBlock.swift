import ACPBase
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

extension ACP {
    /// Text, which clients usually render as Markdown. Schema: `TextContent`.
    public struct TextContent: Object {
        /// The audience and the importance of the content.
        @Lenient public var annotations: Annotations?
        /// The text.
        public var text: String
        public var otherMembers: OtherMembers

        public init(text: String, annotations: Annotations? = nil, meta: RawJSON? = nil) {
            self.annotations = annotations
            self.text = text
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// An image. Schema: `ImageContent`.
    public struct ImageContent: Object {
        /// The audience and the importance of the content.
        @Lenient public var annotations: Annotations?
        /// The bytes, in Base64.
        public var data: String
        /// The MIME type, for example `image/png`.
        public var mimeType: String
        /// The URI of the image's source.
        @Lenient public var uri: String?
        public var otherMembers: OtherMembers

        public init(
            data: String, mimeType: String, annotations: Annotations? = nil, uri: String? = nil, meta: RawJSON? = nil
        ) {
            self.annotations = annotations
            self.data = data
            self.mimeType = mimeType
            self.uri = uri
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Audio. Schema: `AudioContent`.
    public struct AudioContent: Object {
        /// The audience and the importance of the content.
        @Lenient public var annotations: Annotations?
        /// The bytes, in Base64.
        public var data: String
        /// The MIME type, for example `audio/wav`.
        public var mimeType: String
        public var otherMembers: OtherMembers

        public init(data: String, mimeType: String, annotations: Annotations? = nil, meta: RawJSON? = nil) {
            self.annotations = annotations
            self.data = data
            self.mimeType = mimeType
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Hints on how to display a content block. Schema: `Annotations`.
    public struct Annotations: Object {
        /// The intended audience; everyone when absent.
        @Lenient public var audience: [Role]?
        /// The time at which the content was last changed, in ISO 8601.
        @Lenient public var lastModified: String?
        /// The importance of the content, from 0 to 1.
        @Lenient public var priority: Double?
        public var otherMembers: OtherMembers

        public init(
            audience: [Role]? = nil, lastModified: String? = nil, priority: Double? = nil, meta: RawJSON? = nil
        ) {
            self.audience = audience
            self.lastModified = lastModified
            self.priority = priority
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// A participant of the conversation. Schema: `Role`.
    public struct Role: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The agent and its model.
        public static let assistant = Self(rawValue: "assistant")
        /// The author of the prompts.
        public static let user = Self(rawValue: "user")

        public static let allCases = [assistant, user]
    }
}
