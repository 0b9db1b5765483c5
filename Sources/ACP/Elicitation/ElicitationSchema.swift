import JSONCoding

extension ACP {
    /// The fields of a form, as a JSON schema of one flat object. Schema: `ElicitationSchema`.
    public struct ElicitationSchema: Object {
        /// Always `object`.
        @Lenient public var type: ElicitationSchemaType
        /// Of the form.
        @Lenient public var title: String?
        /// The fields, in the order to show.
        public var properties: Members<ElicitationPropertySchema>?
        /// The names of those that must be filled in.
        public var required: [String]?
        /// What the form is for.
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

    /// What a form's answer is. Schema: `ElicitationSchemaType`.
    public struct ElicitationSchemaType: OpenEnum, AbsenceMeans {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// An object with a member for each field; what absence means.
        public static let object = Self(rawValue: "object")

        public static let allCases = [object]
        public static let absent = object
    }
}
