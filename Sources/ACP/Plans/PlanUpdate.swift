import JSONCoding

extension ACP {
    /// Unstable. Identifies a plan within its session. Schema: `PlanId`.
    public struct PlanId: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// Unstable. A complete new version of one of several plans. For clients with the `plan` capability. Schema:
    /// `PlanUpdate`.
    public struct PlanUpdate: Object {
        /// The plan.
        public var plan: PlanUpdateContent
        public var otherMembers: OtherMembers

        public init(plan: PlanUpdateContent, meta: RawJSON? = nil) {
            self.plan = plan
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. One of several plans was removed. For clients with the `plan` capability. Schema: `PlanRemoved`.
    public struct PlanRemoved: Object {
        /// The id of the plan.
        public var planId: PlanId
        public var otherMembers: OtherMembers

        public init(planId: PlanId, meta: RawJSON? = nil) {
            self.planId = planId
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
