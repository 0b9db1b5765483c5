import ACPBase
import ACPSessions
import JSONCoding

extension ACP.V2 {
    /// A complete new version of one of the session's plans. Schema: `PlanUpdate`.
    public struct PlanUpdate: ACP.Object {
        /// The plan.
        public var plan: PlanUpdateContent
        public var otherMembers: OtherMembers

        public init(plan: PlanUpdateContent, meta: RawJSON? = nil) {
            self.plan = plan
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// A plan with an id, in one of several formats. Schema: `PlanUpdateContent`.
    public enum PlanUpdateContent: TaggedUnion {
        /// A list of steps.
        case items(PlanItems)
        /// Unstable. A file.
        case file(ACP.PlanFile)
        /// Unstable. Markdown text.
        case markdown(ACP.PlanMarkdown)
        /// An unknown kind; its JSON is kept unchanged.
        case unknown(UnknownVariant)

        public static let tagName = "type"

        public init(tag: String?, from decoder: any Decoder) throws {
            switch tag {
            case "items": self = .items(try PlanItems(from: decoder))
            case "file": self = .file(try ACP.PlanFile(from: decoder))
            case "markdown": self = .markdown(try ACP.PlanMarkdown(from: decoder))
            default: self = .unknown(try UnknownVariant(tag, from: decoder))
            }
        }

        public var variant: Variant {
            switch self {
            case .items(let value): Variant("items", value)
            case .file(let value): Variant("file", value)
            case .markdown(let value): Variant("markdown", value)
            case .unknown(let value): Variant(value)
            }
        }
    }

    /// A plan as a list of steps. Schema: `PlanItems`.
    public struct PlanItems: ACP.Object {
        /// The id of the plan.
        public var planId: ACP.PlanId
        /// All steps of the plan.
        @Lossy public var entries: [PlanEntry]
        public var otherMembers: OtherMembers

        public init(planId: ACP.PlanId, entries: [PlanEntry] = [], meta: RawJSON? = nil) {
            self.planId = planId
            self.entries = entries
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// One step of a plan. Schema: `PlanEntry`.
    public struct PlanEntry: ACP.Object {
        /// A description of the step, to show to the user.
        public var content: String
        /// The priority of the step.
        public var priority: ACP.PlanEntryPriority
        /// The current status.
        public var status: PlanEntryStatus
        public var otherMembers: OtherMembers

        public init(
            content: String, priority: ACP.PlanEntryPriority, status: PlanEntryStatus, meta: RawJSON? = nil
        ) {
            self.content = content
            self.priority = priority
            self.status = status
            otherMembers = OtherMembers(meta: meta)
        }
    }

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
        /// The agent no longer intends to take the step.
        public static let cancelled = Self(rawValue: "cancelled")

        public static let allCases = [pending, inProgress, completed, cancelled]
    }
}
