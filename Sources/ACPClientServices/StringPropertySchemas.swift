import ACPBase
import JSONCoding

extension ACP {
    /// A form field for text, or for a choice of one string if it has `enum` or `oneOf`. Schema:
    /// `StringPropertySchema`.
    public struct StringPropertySchema: Object {
        /// The label of the field.
        @Lenient public var title: String?
        /// A description of the value to enter.
        @Lenient public var description: String?
        /// The minimum length, in characters.
        public var minLength: UInt32?
        /// The maximum length, in characters.
        public var maxLength: UInt32?
        /// A regular expression that the text must match.
        public var pattern: String?
        /// The format that the text must have.
        public var format: StringFormat?
        /// The initial value.
        @Lenient public var `default`: String?
        /// The strings to choose from.
        public var `enum`: [String]?
        /// The strings to choose from, with labels.
        public var oneOf: [EnumOption]?
        public var otherMembers: OtherMembers

        public init(
            title: String? = nil, description: String? = nil, minLength: UInt32? = nil, maxLength: UInt32? = nil,
            pattern: String? = nil, format: StringFormat? = nil, default: String? = nil, enum: [String]? = nil,
            oneOf: [EnumOption]? = nil, meta: RawJSON? = nil
        ) {
            self.title = title
            self.description = description
            self.minLength = minLength
            self.maxLength = maxLength
            self.pattern = pattern
            self.format = format
            self.default = `default`
            self.enum = `enum`
            self.oneOf = oneOf
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The format of a text. Schema: `StringFormat`.
    public struct StringFormat: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// An email address.
        public static let email = Self(rawValue: "email")
        /// A URI.
        public static let uri = Self(rawValue: "uri")
        /// A date: `2026-01-31`.
        public static let date = Self(rawValue: "date")
        /// A date and time, in ISO 8601.
        public static let dateTime = Self(rawValue: "date-time")

        public static let allCases = [email, uri, date, dateTime]
    }

    /// A string to choose, with its label. Schema: `EnumOption`.
    public struct EnumOption: Object {
        /// The string.
        public var const: String
        /// The label of the field.
        public var title: String
        /// A longer description to show to the user.
        @Lenient public var description: String?
        public var otherMembers: OtherMembers

        public init(const: String, title: String, description: String? = nil, meta: RawJSON? = nil) {
            self.const = const
            self.title = title
            self.description = description
            otherMembers = OtherMembers(meta: meta)
        }
    }

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
