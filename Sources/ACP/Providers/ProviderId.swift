import JSONCoding

extension ACP {
    /// Unstable. Identifies a model provider. Schema: `ProviderId`.
    public struct ProviderId: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// Unstable. A protocol for requests to models. Names that begin with `_` are free for extensions. Schema:
    /// `LlmProtocol`.
    public struct LlmProtocol: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Anthropic's protocol.
        public static let anthropic = Self(rawValue: "anthropic")
        /// OpenAI's protocol.
        public static let openai = Self(rawValue: "openai")
        /// Azure's protocol.
        public static let azure = Self(rawValue: "azure")
        /// Google Vertex's protocol.
        public static let vertex = Self(rawValue: "vertex")
        /// Amazon Bedrock's protocol.
        public static let bedrock = Self(rawValue: "bedrock")

        public static let allCases = [anthropic, openai, azure, vertex, bedrock]
    }
}
