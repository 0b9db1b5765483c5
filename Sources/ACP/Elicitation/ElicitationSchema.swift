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
}
