import JSONCoding

extension ACP {
    /// The contents of an embedded resource: text or bytes, told apart by the member that holds them.
    /// Schema: `EmbeddedResourceResource`.
    public enum EmbeddedResourceResource: Hashable, Codable, Sendable {
        /// Contents that are text.
        case text(TextResourceContents)
        /// Contents that are bytes.
        case blob(BlobResourceContents)
        /// Neither, as it is spelt.
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
