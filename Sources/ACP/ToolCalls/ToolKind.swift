import JSONCoding

extension ACP {
    /// The kind of a tool, which decides its icon. Schema: `ToolKind`.
    public struct ToolKind: OpenEnum, AbsenceMeans {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Reads files or data.
        public static let read = Self(rawValue: "read")
        /// Changes files.
        public static let edit = Self(rawValue: "edit")
        /// Deletes files or data.
        public static let delete = Self(rawValue: "delete")
        /// Moves or renames files.
        public static let move = Self(rawValue: "move")
        /// Searches.
        public static let search = Self(rawValue: "search")
        /// Runs commands or code.
        public static let execute = Self(rawValue: "execute")
        /// Thinks or plans.
        public static let think = Self(rawValue: "think")
        /// Fetches external data.
        public static let fetch = Self(rawValue: "fetch")
        /// Switches the session's mode.
        public static let switchMode = Self(rawValue: "switch_mode")
        /// Anything else. This is the default when absent.
        public static let other = Self(rawValue: "other")

        public static let allCases = [read, edit, delete, move, search, execute, think, fetch, switchMode, other]
        public static let absent = other
    }
}
