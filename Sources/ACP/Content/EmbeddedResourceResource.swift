import JSONCoding

extension ACP {
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
}
