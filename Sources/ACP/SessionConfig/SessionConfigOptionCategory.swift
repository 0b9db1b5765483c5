import JSONCoding

extension ACP {
    /// The category of an option, which helps clients choose its position and icon. Clients must not rely on it for
    /// correct behaviour. Names that begin with `_` are free for extensions. Schema: `SessionConfigOptionCategory`.
    public struct SessionConfigOptionCategory: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The agent's mode of operation.
        public static let mode = Self(rawValue: "mode")
        /// The model.
        public static let model = Self(rawValue: "model")
        /// A parameter of the model.
        public static let modelConfig = Self(rawValue: "model_config")
        /// The amount of thinking.
        public static let thoughtLevel = Self(rawValue: "thought_level")

        public static let allCases = [mode, model, modelConfig, thoughtLevel]
    }
}
