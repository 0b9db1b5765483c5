import JSONCoding

extension ACP {
    /// The input that can follow a command's name. Schema: `AvailableCommandInput`.
    public enum AvailableCommandInput: Hashable, Codable, Sendable {
        /// Free text.
        case unstructured(UnstructuredCommandInput)
        /// An unknown kind; its JSON is kept unchanged.
        case unknown(RawJSON)

        public init(from decoder: any Decoder) throws {
            if try decoder.hasMember("hint") {
                self = .unstructured(try UnstructuredCommandInput(from: decoder))
            } else {
                self = .unknown(try RawJSON(from: decoder))
            }
        }

        public func encode(to encoder: any Encoder) throws {
            switch self {
            case .unstructured(let input): try input.encode(to: encoder)
            case .unknown(let raw): try raw.encode(to: encoder)
            }
        }
    }
}
