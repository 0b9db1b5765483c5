import JSONCoding

extension ACP {
    /// What may stand behind a command's name. Schema: `AvailableCommandInput`.
    public enum AvailableCommandInput: Hashable, Codable, Sendable {
        /// Whatever the user types.
        case unstructured(UnstructuredCommandInput)
        /// A kind that is not known here, as it is spelt.
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
