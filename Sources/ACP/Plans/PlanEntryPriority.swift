import JSONCoding

extension ACP {
    /// The priority of a step. Schema: `PlanEntryPriority`.
    public struct PlanEntryPriority: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Critical to the whole plan.
        public static let high = Self(rawValue: "high")
        /// Important.
        public static let medium = Self(rawValue: "medium")
        /// Optional.
        public static let low = Self(rawValue: "low")

        public static let allCases = [high, medium, low]
    }
}
