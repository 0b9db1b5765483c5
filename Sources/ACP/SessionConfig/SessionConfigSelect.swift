import JSONCoding

extension ACP {
    /// One value out of several. Schema: `SessionConfigSelect`.
    public struct SessionConfigSelect: Codable, Hashable, Sendable {
        /// The one that is set.
        public var currentValue: SessionConfigValueId
        /// Those to choose from, in groups or not.
        public var options: SessionConfigSelectOptions

        public init(currentValue: SessionConfigValueId, options: SessionConfigSelectOptions) {
            self.currentValue = currentValue
            self.options = options
        }
    }

    /// A value to choose. Schema: `SessionConfigSelectOption`.
    public struct SessionConfigSelectOption: Object {
        /// For `session/set_config_option`.
        public var value: SessionConfigValueId
        /// For the user.
        public var name: String
        /// More, for the user.
        @Lenient public var description: String?
        public var otherMembers: OtherMembers

        public init(value: SessionConfigValueId, name: String, description: String? = nil, meta: RawJSON? = nil) {
            self.value = value
            self.name = name
            self.description = description
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Values that belong together, under a heading. Schema: `SessionConfigSelectGroup`.
    public struct SessionConfigSelectGroup: Object {
        /// Tells the group from others.
        public var group: SessionConfigGroupId
        /// The heading.
        public var name: String
        /// In the order to show.
        @Lossy public var options: [SessionConfigSelectOption]
        public var otherMembers: OtherMembers

        public init(
            group: SessionConfigGroupId, name: String, options: [SessionConfigSelectOption] = [], meta: RawJSON? = nil
        ) {
            self.group = group
            self.name = name
            self.options = options
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
