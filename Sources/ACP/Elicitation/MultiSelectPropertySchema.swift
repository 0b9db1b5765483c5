import JSONCoding

extension ACP {
    /// A field for some of several strings. Schema: `MultiSelectPropertySchema`.
    public struct MultiSelectPropertySchema: Object {
        /// The label.
        @Lenient public var title: String?
        /// What to choose.
        @Lenient public var description: String?
        /// How many at least.
        public var minItems: UInt64?
        /// How many at most.
        public var maxItems: UInt64?
        /// The strings to choose from.
        public var items: MultiSelectItems
        /// What is chosen already.
        @Lenient public var `default`: [String]?
        public var otherMembers: OtherMembers

        public init(
            items: MultiSelectItems, title: String? = nil, description: String? = nil, minItems: UInt64? = nil,
            maxItems: UInt64? = nil, default: [String]? = nil, meta: RawJSON? = nil
        ) {
            self.title = title
            self.description = description
            self.minItems = minItems
            self.maxItems = maxItems
            self.items = items
            self.default = `default`
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The strings to choose from. Schema: `MultiSelectItems`.
    public enum MultiSelectItems: TaggedUnion {
        /// With labels.
        case titled(TitledMultiSelectItems)
        /// As they are.
        case string(StringMultiSelectItems)
        /// A kind that is not known here, as it is spelt.
        case unknown(UnknownVariant)

        public static let tagName = "type"

        public init(tag: String?, from decoder: any Decoder) throws {
            switch tag {
            case nil: self = .titled(try TitledMultiSelectItems(from: decoder))
            case "string": self = .string(try StringMultiSelectItems(from: decoder))
            default: self = .unknown(try UnknownVariant(tag, from: decoder))
            }
        }

        public var variant: Variant {
            switch self {
            case .titled(let value): Variant(nil, value)
            case .string(let value): Variant("string", value)
            case .unknown(let value): Variant(value)
            }
        }
    }

    /// Strings to choose from. Schema: `StringMultiSelectItems`.
    public struct StringMultiSelectItems: Object {
        /// The strings.
        public var `enum`: [String]
        public var otherMembers: OtherMembers

        public init(enum: [String], meta: RawJSON? = nil) {
            self.enum = `enum`
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Strings to choose from, with labels. Schema: `TitledMultiSelectItems`.
    public struct TitledMultiSelectItems: Object {
        /// The strings and their labels.
        public var anyOf: [EnumOption]
        public var otherMembers: OtherMembers

        public init(anyOf: [EnumOption], meta: RawJSON? = nil) {
            self.anyOf = anyOf
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
