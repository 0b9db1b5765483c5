import JSONCoding

extension ACP {
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
