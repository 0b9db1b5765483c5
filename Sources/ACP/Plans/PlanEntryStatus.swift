import JSONCoding

extension ACP {
    /// The status of a step. Schema: `PlanEntryStatus`.
    public struct PlanEntryStatus: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Not started.
        public static let pending = Self(rawValue: "pending")
        /// In progress.
        public static let inProgress = Self(rawValue: "in_progress")
        /// Done.
        public static let completed = Self(rawValue: "completed")

        public static let allCases = [pending, inProgress, completed]
    }
}
