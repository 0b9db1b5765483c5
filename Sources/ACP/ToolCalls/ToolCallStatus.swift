import JSONCoding

extension ACP {
    /// How far a tool call has come. A cancelled one has no status of its own. Schema: `ToolCallStatus`.
    public struct ToolCallStatus: OpenEnum, AbsenceMeans {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Not begun: its input is still coming, or it waits for permission. What absence means.
        public static let pending = Self(rawValue: "pending")
        /// It runs.
        public static let inProgress = Self(rawValue: "in_progress")
        /// It is done.
        public static let completed = Self(rawValue: "completed")
        /// It went wrong.
        public static let failed = Self(rawValue: "failed")

        public static let allCases = [pending, inProgress, completed, failed]
        public static let absent = pending
    }
}
