import JSONCoding

extension ACP {
    /// What an option is about, for its place and icon; nothing may depend on it. Names that begin with `_` are
    /// anyone's. Schema: `SessionConfigOptionCategory`.
    public struct SessionConfigOptionCategory: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// How the agent works.
        public static let mode = Self(rawValue: "mode")
        /// Which model it asks.
        public static let model = Self(rawValue: "model")
        /// How that model is asked.
        public static let modelConfig = Self(rawValue: "model_config")
        /// How much it thinks.
        public static let thoughtLevel = Self(rawValue: "thought_level")

        public static let allCases = [mode, model, modelConfig, thoughtLevel]
    }
}
