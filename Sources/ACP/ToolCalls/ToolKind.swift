import JSONCoding

extension ACP {
    /// What a tool does, for its icon. Schema: `ToolKind`.
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
        /// Looks for something.
        public static let search = Self(rawValue: "search")
        /// Runs commands or code.
        public static let execute = Self(rawValue: "execute")
        /// Thinks or plans.
        public static let think = Self(rawValue: "think")
        /// Gets something from outside.
        public static let fetch = Self(rawValue: "fetch")
        /// Turns another mode on.
        public static let switchMode = Self(rawValue: "switch_mode")
        /// Anything else; what absence means.
        public static let other = Self(rawValue: "other")

        public static let allCases = [read, edit, delete, move, search, execute, think, fetch, switchMode, other]
        public static let absent = other
    }
}
