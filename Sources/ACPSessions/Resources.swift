import ACPBase
import JSONCoding

extension ACP {
    /// A file or another resource that has a URI and that the agent can read by itself. Schema: `ResourceLink`.
    public struct ResourceLink: Object {
        /// The audience and the importance of the content.
        @Lenient public var annotations: Annotations?
        /// A longer description to show to the user.
        @Lenient public var description: String?
        /// The MIME type of the resource.
        @Lenient public var mimeType: String?
        /// The name of the resource, for example a file name.
        public var name: String
        /// The size in bytes.
        @Lenient public var size: Int64?
        /// The title to show to the user in preference to `name`.
        @Lenient public var title: String?
        /// The URI: `file:///home/user/notes.md`.
        public var uri: String
        public var otherMembers: OtherMembers

        public init(
            name: String, uri: String, annotations: Annotations? = nil, description: String? = nil,
            mimeType: String? = nil, size: Int64? = nil, title: String? = nil, meta: RawJSON? = nil
        ) {
            self.annotations = annotations
            self.description = description
            self.mimeType = mimeType
            self.name = name
            self.size = size
            self.title = title
            self.uri = uri
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// A file or another resource that has a URI, including its contents. Schema: `EmbeddedResource`.
    public struct EmbeddedResource: Object {
        /// The audience and the importance of the content.
        @Lenient public var annotations: Annotations?
        /// The contents.
        public var resource: EmbeddedResourceResource
        public var otherMembers: OtherMembers

        public init(resource: EmbeddedResourceResource, annotations: Annotations? = nil, meta: RawJSON? = nil) {
            self.annotations = annotations
            self.resource = resource
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The contents of an embedded resource: text or bytes. The member that holds them, `text` or `blob`, decides.
    /// Schema: `EmbeddedResourceResource`.
    public enum EmbeddedResourceResource: Hashable, Codable, Sendable {
        /// Text contents.
        case text(TextResourceContents)
        /// Binary contents.
        case blob(BlobResourceContents)
        /// Neither text nor bytes; the JSON is kept unchanged.
        case unknown(RawJSON)

        public init(from decoder: any Decoder) throws {
            if try decoder.hasMember("text") {
                self = .text(try TextResourceContents(from: decoder))
            } else if try decoder.hasMember("blob") {
                self = .blob(try BlobResourceContents(from: decoder))
            } else {
                self = .unknown(try RawJSON(from: decoder))
            }
        }

        public func encode(to encoder: any Encoder) throws {
            switch self {
            case .text(let contents): try contents.encode(to: encoder)
            case .blob(let contents): try contents.encode(to: encoder)
            case .unknown(let raw): try raw.encode(to: encoder)
            }
        }
    }

    /// Text contents. Schema: `TextResourceContents`.
    public struct TextResourceContents: Object {
        /// The MIME type, for example `text/x-python`.
        @Lenient public var mimeType: String?
        /// The text.
        public var text: String
        /// The URI.
        public var uri: String
        public var otherMembers: OtherMembers

        public init(text: String, uri: String, mimeType: String? = nil, meta: RawJSON? = nil) {
            self.mimeType = mimeType
            self.text = text
            self.uri = uri
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Binary contents. Schema: `BlobResourceContents`.
    public struct BlobResourceContents: Object {
        /// The bytes, in Base64.
        public var blob: String
        /// The MIME type, for example `application/pdf`.
        @Lenient public var mimeType: String?
        /// The URI.
        public var uri: String
        public var otherMembers: OtherMembers

        public init(blob: String, uri: String, mimeType: String? = nil, meta: RawJSON? = nil) {
            self.blob = blob
            self.mimeType = mimeType
            self.uri = uri
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
