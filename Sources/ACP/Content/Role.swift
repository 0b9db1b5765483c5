import JSONCoding

extension ACP {
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
