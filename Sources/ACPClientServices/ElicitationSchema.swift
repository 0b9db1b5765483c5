import ACPBase
import JSONCoding

extension ACP {
    /// The fields of a form, as the JSON schema of one flat object. Schema: `ElicitationSchema`.
    public struct ElicitationSchema: Object {
        /// Always `object`.
        @Lenient public var type: ElicitationSchemaType
        /// The title of the form.
        @Lenient public var title: String?
        /// The fields, in display order.
        public var properties: Members<ElicitationPropertySchema>?
        /// The names of the required fields.
        public var required: [String]?
        /// A description of the form's purpose.
        @Lenient public var description: String?
        public var otherMembers: OtherMembers

        public init(
            type: ElicitationSchemaType = .object, title: String? = nil,
            properties: Members<ElicitationPropertySchema>? = nil, required: [String]? = nil,
            description: String? = nil, meta: RawJSON? = nil
        ) {
            self.type = type
            self.title = title
            self.properties = properties
            self.required = required
            self.description = description
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The JSON type of a form's answer. Schema: `ElicitationSchemaType`.
    public struct ElicitationSchemaType: OpenEnum, AbsenceMeans {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// An object with a member for each field. This is the default when absent.
        public static let object = Self(rawValue: "object")

        public static let allCases = [object]
        public static let absent = object
    }

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

    /// A form field for a Boolean. Schema: `BooleanPropertySchema`.
    public struct BooleanPropertySchema: Object {
        /// The label of the field.
        @Lenient public var title: String?
        /// A description of the question.
        @Lenient public var description: String?
        /// The initial value.
        @Lenient public var `default`: Bool?
        public var otherMembers: OtherMembers

        public init(title: String? = nil, description: String? = nil, default: Bool? = nil, meta: RawJSON? = nil) {
            self.title = title
            self.description = description
            self.default = `default`
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// A form field for a whole number. Schema: `IntegerPropertySchema`.
    public struct IntegerPropertySchema: Object {
        /// The label of the field.
        @Lenient public var title: String?
        /// A description of the value to enter.
        @Lenient public var description: String?
        /// The smallest value that is allowed.
        public var minimum: Int64?
        /// The largest value that is allowed.
        public var maximum: Int64?
        /// The initial value.
        @Lenient public var `default`: Int64?
        public var otherMembers: OtherMembers

        public init(
            title: String? = nil, description: String? = nil, minimum: Int64? = nil, maximum: Int64? = nil,
            default: Int64? = nil, meta: RawJSON? = nil
        ) {
            self.title = title
            self.description = description
            self.minimum = minimum
            self.maximum = maximum
            self.default = `default`
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// A form field for a number. Schema: `NumberPropertySchema`.
    public struct NumberPropertySchema: Object {
        /// The label of the field.
        @Lenient public var title: String?
        /// A description of the value to enter.
        @Lenient public var description: String?
        /// The smallest value that is allowed.
        public var minimum: Double?
        /// The largest value that is allowed.
        public var maximum: Double?
        /// The initial value.
        @Lenient public var `default`: Double?
        public var otherMembers: OtherMembers

        public init(
            title: String? = nil, description: String? = nil, minimum: Double? = nil, maximum: Double? = nil,
            default: Double? = nil, meta: RawJSON? = nil
        ) {
            self.title = title
            self.description = description
            self.minimum = minimum
            self.maximum = maximum
            self.default = `default`
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
