import JSONCoding

extension ACP {
    /// What the agent means to do. Each one replaces the one before. Schema: `Plan`.
    public struct Plan: Object {
        /// All steps, not only those that changed.
        @Lossy public var entries: [PlanEntry]
        public var otherMembers: OtherMembers

        public init(entries: [PlanEntry] = [], meta: RawJSON? = nil) {
            self.entries = entries
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// One step of a plan. Schema: `PlanEntry`.
    public struct PlanEntry: Object {
        /// What it is about, for the user.
        public var content: String
        /// How much it matters.
        public var priority: PlanEntryPriority
        /// How far it has come.
        public var status: PlanEntryStatus
        public var otherMembers: OtherMembers

        public init(content: String, priority: PlanEntryPriority, status: PlanEntryStatus, meta: RawJSON? = nil) {
            self.content = content
            self.priority = priority
            self.status = status
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
