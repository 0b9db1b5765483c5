import JSONCoding

extension ACP {
    /// Unstable. A plan that has an id, in one of several forms. Schema: `PlanUpdateContent`.
    public enum PlanUpdateContent: TaggedUnion {
        /// As steps.
        case items(PlanItems)
        /// As a file.
        case file(PlanFile)
        /// As text.
        case markdown(PlanMarkdown)
        /// A kind that is not known here, as it is spelt.
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

    /// Unstable. A plan as steps. Schema: `PlanItems`.
    public struct PlanItems: Object {
        /// Which one.
        public var planId: PlanId
        /// All of them.
        @Lossy public var entries: [PlanEntry]
        public var otherMembers: OtherMembers

        public init(planId: PlanId, entries: [PlanEntry] = [], meta: RawJSON? = nil) {
            self.planId = planId
            self.entries = entries
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. A plan that is a file. Schema: `PlanFile`.
    public struct PlanFile: Object {
        /// Which one.
        public var planId: PlanId
        /// The file's address.
        public var uri: String
        public var otherMembers: OtherMembers

        public init(planId: PlanId, uri: String, meta: RawJSON? = nil) {
            self.planId = planId
            self.uri = uri
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. A plan as text. Schema: `PlanMarkdown`.
    public struct PlanMarkdown: Object {
        /// Which one.
        public var planId: PlanId
        /// In Markdown.
        public var content: String
        public var otherMembers: OtherMembers

        public init(planId: PlanId, content: String, meta: RawJSON? = nil) {
            self.planId = planId
            self.content = content
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
