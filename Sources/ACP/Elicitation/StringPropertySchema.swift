import JSONCoding

extension ACP {
    /// A field for text; with `enum` or `oneOf`, a choice of one. Schema: `StringPropertySchema`.
    public struct StringPropertySchema: Object {
        /// The label.
        @Lenient public var title: String?
        /// What to fill in.
        @Lenient public var description: String?
        /// In characters.
        public var minLength: UInt32?
        /// In characters.
        public var maxLength: UInt32?
        /// A regular expression that the text must match.
        public var pattern: String?
        /// What the text must be.
        public var format: StringFormat?
        /// What is filled in already.
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

    /// What a text must be. Schema: `StringFormat`.
    public struct StringFormat: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// An address for mail.
        public static let email = Self(rawValue: "email")
        /// A URI.
        public static let uri = Self(rawValue: "uri")
        /// A day: `2026-01-31`.
        public static let date = Self(rawValue: "date")
        /// A moment, in ISO 8601.
        public static let dateTime = Self(rawValue: "date-time")

        public static let allCases = [email, uri, date, dateTime]
    }

    /// A string to choose, with a label. Schema: `EnumOption`.
    public struct EnumOption: Object {
        /// The string.
        public var const: String
        /// The label.
        public var title: String
        /// More, for the user.
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
