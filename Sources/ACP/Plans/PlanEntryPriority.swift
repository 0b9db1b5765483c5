import JSONCoding

extension ACP {
    /// How much a step matters. Schema: `PlanEntryPriority`.
    public struct PlanEntryPriority: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The whole depends on it.
        public static let high = Self(rawValue: "high")
        /// Important.
        public static let medium = Self(rawValue: "medium")
        /// Would be nice.
        public static let low = Self(rawValue: "low")

        public static let allCases = [high, medium, low]
    }
}
