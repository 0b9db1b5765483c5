import JSONCoding

extension ACP {
    /// Unstable. Names a place where models are asked. Schema: `ProviderId`.
    public struct ProviderId: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// Unstable. A protocol for asking models. Names that begin with `_` are anyone's. Schema: `LlmProtocol`.
    public struct LlmProtocol: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Anthropic's.
        public static let anthropic = Self(rawValue: "anthropic")
        /// OpenAI's.
        public static let openai = Self(rawValue: "openai")
        /// Azure's.
        public static let azure = Self(rawValue: "azure")
        /// Google Vertex's.
        public static let vertex = Self(rawValue: "vertex")
        /// Amazon Bedrock's.
        public static let bedrock = Self(rawValue: "bedrock")

        public static let allCases = [anthropic, openai, azure, vertex, bedrock]
    }
}
