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
}
