import JSONCoding

extension ACP {
    /// Unstable. Names a plan within its session. Schema: `PlanId`.
    public struct PlanId: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// Unstable. One of several plans, whole. For clients that have `plan`. Schema: `PlanUpdate`.
    public struct PlanUpdate: Object {
        /// The plan.
        public var plan: PlanUpdateContent
        public var otherMembers: OtherMembers

        public init(plan: PlanUpdateContent, meta: RawJSON? = nil) {
            self.plan = plan
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. One of several plans is gone. For clients that have `plan`. Schema: `PlanRemoved`.
    public struct PlanRemoved: Object {
        /// Which one.
        public var planId: PlanId
        public var otherMembers: OtherMembers

        public init(planId: PlanId, meta: RawJSON? = nil) {
            self.planId = planId
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
