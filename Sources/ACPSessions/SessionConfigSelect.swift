import ACPBase
import JSONCoding

extension ACP {
    /// A choice of one of several values. Schema: `SessionConfigSelect`.
    public struct SessionConfigSelect: Codable, Hashable, Sendable {
        /// The current value.
        public var currentValue: SessionConfigValueId
        /// The values to choose from, with or without groups.
        public var options: SessionConfigSelectOptions

        public init(currentValue: SessionConfigValueId, options: SessionConfigSelectOptions) {
            self.currentValue = currentValue
            self.options = options
        }
    }

    /// A value to choose from. Schema: `SessionConfigSelectOption`.
    public struct SessionConfigSelectOption: Object {
        /// The value id for `session/set_config_option`.
        public var value: SessionConfigValueId
        /// The name to show to the user.
        public var name: String
        /// A longer description to show to the user.
        @Lenient public var description: String?
        public var otherMembers: OtherMembers

        public init(value: SessionConfigValueId, name: String, description: String? = nil, meta: RawJSON? = nil) {
            self.value = value
            self.name = name
            self.description = description
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// A group of values with a heading. Schema: `SessionConfigSelectGroup`.
    public struct SessionConfigSelectGroup: Object {
        /// The id of the group.
        public var group: SessionConfigGroupId
        /// The heading of the group.
        public var name: String
        /// In display order.
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

    /// The values to choose from. They are grouped if the first element is a group. Schema:
    /// `SessionConfigSelectOptions`.
    public enum SessionConfigSelectOptions: Hashable, Codable, Sendable {
        /// Values without groups, in display order.
        case ungrouped([SessionConfigSelectOption])
        /// Groups of values, in display order.
        case grouped([SessionConfigSelectGroup])

        public init(from decoder: any Decoder) throws {
            var probe = try decoder.unkeyedContainer()
            let isGrouped = try !probe.isAtEnd && probe.superDecoder().hasMember("group")
            let container = try decoder.singleValueContainer()
            self =
                isGrouped
                ? .grouped(try container.decode([SessionConfigSelectGroup].self))
                : .ungrouped(try container.decode([SessionConfigSelectOption].self))
        }

        public func encode(to encoder: any Encoder) throws {
            switch self {
            case .ungrouped(let options): try options.encode(to: encoder)
            case .grouped(let groups): try groups.encode(to: encoder)
            }
        }
    }
}
