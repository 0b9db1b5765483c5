import JSONCoding

extension ACP {
    /// A form field for a choice of several strings. Schema: `MultiSelectPropertySchema`.
    public struct MultiSelectPropertySchema: Object {
        /// The label of the field.
        @Lenient public var title: String?
        /// A description of the choice.
        @Lenient public var description: String?
        /// The minimum number of strings to choose.
        public var minItems: UInt64?
        /// The maximum number of strings to choose.
        public var maxItems: UInt64?
        /// The strings to choose from.
        public var items: MultiSelectItems
        /// The initial choice.
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
        /// Strings with labels.
        case titled(TitledMultiSelectItems)
        /// Strings without labels.
        case string(StringMultiSelectItems)
        /// An unknown kind; its JSON is kept unchanged.
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

    /// Strings to choose from, without labels. Schema: `StringMultiSelectItems`.
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
