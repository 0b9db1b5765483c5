import ACPBase
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

    /// The priority of a step. Schema: `PlanEntryPriority`.
    public struct PlanEntryPriority: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Critical to the whole plan.
        public static let high = Self(rawValue: "high")
        /// Important.
        public static let medium = Self(rawValue: "medium")
        /// Optional.
        public static let low = Self(rawValue: "low")

        public static let allCases = [high, medium, low]
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

        public static let allCases = [pending, inProgress, completed]
    }

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

    /// Unstable. A plan with an id, in one of several formats. Schema: `PlanUpdateContent`.
    public enum PlanUpdateContent: TaggedUnion {
        /// A list of steps.
        case items(PlanItems)
        /// A file.
        case file(PlanFile)
        /// Markdown text.
        case markdown(PlanMarkdown)
        /// An unknown kind; its JSON is kept unchanged.
        case unknown(UnknownVariant)

        public static let tagName = "type"

        public init(tag: String?, from decoder: any Decoder) throws {
            switch tag {
            case "items": self = .items(try PlanItems(from: decoder))
            case "file": self = .file(try PlanFile(from: decoder))
            case "markdown": self = .markdown(try PlanMarkdown(from: decoder))
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

    /// Unstable. A plan as a list of steps. Schema: `PlanItems`.
    public struct PlanItems: Object {
        /// The id of the plan.
        public var planId: PlanId
        /// All steps of the plan.
        @Lossy public var entries: [PlanEntry]
        public var otherMembers: OtherMembers

        public init(planId: PlanId, entries: [PlanEntry] = [], meta: RawJSON? = nil) {
            self.planId = planId
            self.entries = entries
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. A plan in a file. Schema: `PlanFile`.
    public struct PlanFile: Object {
        /// The id of the plan.
        public var planId: PlanId
        /// The URI of the file.
        public var uri: String
        public var otherMembers: OtherMembers

        public init(planId: PlanId, uri: String, meta: RawJSON? = nil) {
            self.planId = planId
            self.uri = uri
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. A plan as Markdown text. Schema: `PlanMarkdown`.
    public struct PlanMarkdown: Object {
        /// The id of the plan.
        public var planId: PlanId
        /// The text, in Markdown.
        public var content: String
        public var otherMembers: OtherMembers

        public init(planId: PlanId, content: String, meta: RawJSON? = nil) {
            self.planId = planId
            self.content = content
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
