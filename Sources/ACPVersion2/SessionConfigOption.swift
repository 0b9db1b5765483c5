import ACPBase
import ACPSessions
import JSONCoding

extension ACP.V2 {
    /// An option of a session: `{"configId":"model","name":"Model","type":"select","currentValue":"a",…}`. The option
    /// of category `mode` replaces the modes of version 1. Schema: `SessionConfigOption`.
    public struct SessionConfigOption: ACP.Object {
        /// The id for `session/set_config_option`.
        public var configId: ACP.SessionConfigId
        /// The name to show to the user.
        public var name: String
        /// A longer description to show to the user.
        public var description: String?
        /// The category of the option.
        public var category: ACP.SessionConfigOptionCategory?
        /// The type of the option and its current value; `type` on the wire, next to the members of that type.
        public var kind: SessionConfigKind
        public var otherMembers: OtherMembers

        public init(
            configId: ACP.SessionConfigId, name: String, kind: SessionConfigKind, description: String? = nil,
            category: ACP.SessionConfigOptionCategory? = nil, meta: RawJSON? = nil
        ) {
            self.configId = configId
            self.name = name
            self.description = description
            self.category = category
            self.kind = kind
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The type of an option.
    public enum SessionConfigKind: Hashable, Sendable {
        /// A choice of one of several values.
        case select(SessionConfigSelect)
        /// A Boolean.
        case boolean(ACP.SessionConfigBoolean)
        /// An unknown type. Its members are in the option's `otherMembers`.
        case unknown(type: String)
    }
}

// MARK: - Coding

extension ACP.V2.SessionConfigOption {
    /// The members that options of all types have in common.
    private struct Common: Codable {
        var configId: ACP.SessionConfigId
        var name: String
        @Lenient var description: String?
        @Lenient var category: ACP.SessionConfigOptionCategory?
        var otherMembers: OtherMembers
    }

    private enum CodingKeys: CodingKey { case type }

    public init(from decoder: any Decoder) throws {
        let type = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .type)
        let common: Common
        switch type {
        case "select":
            kind = .select(try ACP.V2.SessionConfigSelect(from: decoder))
            common = try Common(from: decoder.taking("type", "currentValue", "options"))
        case "boolean":
            kind = .boolean(try ACP.SessionConfigBoolean(from: decoder))
            common = try Common(from: decoder.taking("type", "currentValue"))
        default:
            kind = .unknown(type: type)
            common = try Common(from: decoder.taking("type"))
        }
        configId = common.configId
        name = common.name
        description = common.description
        category = common.category
        otherMembers = common.otherMembers
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch kind {
        case .select(let select):
            try container.encode("select", forKey: .type)
            try select.encode(to: encoder)
        case .boolean(let boolean):
            try container.encode("boolean", forKey: .type)
            try boolean.encode(to: encoder)
        case .unknown(let type): try container.encode(type, forKey: .type)
        }
        let common = Common(
            configId: configId, name: name, description: description, category: category, otherMembers: otherMembers)
        try common.encode(to: encoder)
    }
}

extension ACP.V2 {
    /// A choice of one of several values. Schema: `SessionConfigSelect`.
    public struct SessionConfigSelect: Codable, Hashable, Sendable {
        /// The current value.
        public var currentValue: ACP.SessionConfigValueId
        /// The values to choose from, with or without groups.
        public var options: SessionConfigSelectOptions

        public init(currentValue: ACP.SessionConfigValueId, options: SessionConfigSelectOptions) {
            self.currentValue = currentValue
            self.options = options
        }
    }

    /// A group of values with a heading. Schema: `SessionConfigSelectGroup`.
    public struct SessionConfigSelectGroup: ACP.Object {
        /// The id of the group.
        public var groupId: ACP.SessionConfigGroupId
        /// The heading of the group.
        public var name: String
        /// In display order.
        @Lossy public var options: [ACP.SessionConfigSelectOption]
        public var otherMembers: OtherMembers

        public init(
            groupId: ACP.SessionConfigGroupId, name: String, options: [ACP.SessionConfigSelectOption] = [],
            meta: RawJSON? = nil
        ) {
            self.groupId = groupId
            self.name = name
            self.options = options
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The values to choose from. They are grouped if the first element is a group. Schema:
    /// `SessionConfigSelectOptions`.
    public enum SessionConfigSelectOptions: Hashable, Codable, Sendable {
        /// Values without groups, in display order.
        case ungrouped([ACP.SessionConfigSelectOption])
        /// Groups of values, in display order.
        case grouped([SessionConfigSelectGroup])

        public init(from decoder: any Decoder) throws {
            var probe = try decoder.unkeyedContainer()
            let isGrouped = try !probe.isAtEnd && probe.superDecoder().hasMember("groupId")
            let container = try decoder.singleValueContainer()
            self =
                isGrouped
                ? .grouped(try container.decode([SessionConfigSelectGroup].self))
                : .ungrouped(try container.decode([ACP.SessionConfigSelectOption].self))
        }

        public func encode(to encoder: any Encoder) throws {
            switch self {
            case .ungrouped(let options): try options.encode(to: encoder)
            case .grouped(let groups): try groups.encode(to: encoder)
            }
        }
    }

    /// The session's options have changed. Schema: `ConfigOptionUpdate`.
    public struct ConfigOptionUpdate: ACP.Object {
        /// All options and their values.
        @Lossy public var configOptions: [SessionConfigOption]
        public var otherMembers: OtherMembers

        public init(configOptions: [SessionConfigOption] = [], meta: RawJSON? = nil) {
            self.configOptions = configOptions
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
