import JSONCoding

extension ACP {
    /// The agent's plan. Each plan replaces the previous one. Schema: `Plan`.
    public struct Plan: Object {
        /// All steps, including the unchanged ones.
        @Lossy public var entries: [PlanEntry]
        public var otherMembers: OtherMembers

        public init(entries: [PlanEntry] = [], meta: RawJSON? = nil) {
            self.entries = entries
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// One step of a plan. Schema: `PlanEntry`.
    public struct PlanEntry: Object {
        /// A description of the step, to show to the user.
        public var content: String
        /// The priority of the step.
        public var priority: PlanEntryPriority
        /// The current status.
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
