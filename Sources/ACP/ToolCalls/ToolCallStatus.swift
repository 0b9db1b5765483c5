import JSONCoding

extension ACP {
    /// The status of a tool call. A cancelled call has no status of its own. Schema: `ToolCallStatus`.
    public struct ToolCallStatus: OpenEnum, AbsenceMeans {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Not started: the input is incomplete, or the call waits for permission. This is the default when absent.
        public static let pending = Self(rawValue: "pending")
        /// In progress.
        public static let inProgress = Self(rawValue: "in_progress")
        /// The work is complete.
        public static let completed = Self(rawValue: "completed")
        /// The call failed.
        public static let failed = Self(rawValue: "failed")

        public static let allCases = [pending, inProgress, completed, failed]
        public static let absent = pending
    }
}
