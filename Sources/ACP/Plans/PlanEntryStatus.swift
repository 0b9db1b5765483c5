import JSONCoding

extension ACP {
    /// How far a step has come. Schema: `PlanEntryStatus`.
    public struct PlanEntryStatus: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Not begun.
        public static let pending = Self(rawValue: "pending")
        /// Being worked on.
        public static let inProgress = Self(rawValue: "in_progress")
        /// Done.
        public static let completed = Self(rawValue: "completed")

        public static let allCases = [pending, inProgress, completed]
    }
}
