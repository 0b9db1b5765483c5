import JSONCoding

extension ACP {
    /// A field of a form. Schema: `ElicitationPropertySchema`.
    public enum ElicitationPropertySchema: TaggedUnion {
        /// Text, or a choice of one string.
        case string(StringPropertySchema)
        /// A number.
        case number(NumberPropertySchema)
        /// A whole number.
        case integer(IntegerPropertySchema)
        /// A Boolean.
        case boolean(BooleanPropertySchema)
        /// A choice of several strings.
        case array(MultiSelectPropertySchema)
        /// An unknown kind; its JSON is kept unchanged.
        case unknown(UnknownVariant)

        public static let tagName = "type"

        public init(tag: String?, from decoder: any Decoder) throws {
            switch tag {
            case "string": self = .string(try StringPropertySchema(from: decoder))
            case "number": self = .number(try NumberPropertySchema(from: decoder))
            case "integer": self = .integer(try IntegerPropertySchema(from: decoder))
            case "boolean": self = .boolean(try BooleanPropertySchema(from: decoder))
            case "array": self = .array(try MultiSelectPropertySchema(from: decoder))
            default: self = .unknown(try UnknownVariant(tag, from: decoder))
            }
        }

        public var variant: Variant {
            switch self {
            case .string(let value): Variant("string", value)
            case .number(let value): Variant("number", value)
            case .integer(let value): Variant("integer", value)
            case .boolean(let value): Variant("boolean", value)
            case .array(let value): Variant("array", value)
            case .unknown(let value): Variant(value)
            }
        }
    }
}
