import ACPBase
import JSONCoding

extension ACP {
    /// An option of a session: `{"id":"model","name":"Model","type":"select","currentValue":"a",…}`. Schema:
    /// `SessionConfigOption`.
    public struct SessionConfigOption: Object {
        /// The id for `session/set_config_option`.
        public var id: SessionConfigId
        /// The name to show to the user.
        public var name: String
        /// A longer description to show to the user.
        public var description: String?
        /// The category of the option.
        public var category: SessionConfigOptionCategory?
        /// The type of the option and its current value; `type` on the wire, next to the members of that type.
        public var kind: SessionConfigKind
        public var otherMembers: OtherMembers

        public init(
            id: SessionConfigId, name: String, kind: SessionConfigKind, description: String? = nil,
            category: SessionConfigOptionCategory? = nil, meta: RawJSON? = nil
        ) {
            self.id = id
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
        case boolean(SessionConfigBoolean)
        /// An unknown type. Its members are in the option's `otherMembers`.
        case unknown(type: String)
    }
}

// MARK: - Coding

extension ACP.SessionConfigOption {
    /// The members that options of all types have in common.
    private struct Common: Codable {
        var id: ACP.SessionConfigId
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
            kind = .select(try ACP.SessionConfigSelect(from: decoder))
            common = try Common(from: decoder.taking("type", "currentValue", "options"))
        case "boolean":
            kind = .boolean(try ACP.SessionConfigBoolean(from: decoder))
            common = try Common(from: decoder.taking("type", "currentValue"))
        default:
            kind = .unknown(type: type)
            common = try Common(from: decoder.taking("type"))
        }
        id = common.id
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
        try Common(id: id, name: name, description: description, category: category, otherMembers: otherMembers)
            .encode(to: encoder)
    }
}

extension ACP {
    /// Identifies an option of a session. Schema: `SessionConfigId`.
    public struct SessionConfigId: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// Identifies a value of an option. Schema: `SessionConfigValueId`.
    public struct SessionConfigValueId: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// Identifies a group of values. Schema: `SessionConfigGroupId`.
    public struct SessionConfigGroupId: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The category of an option, which helps clients choose its position and icon. Clients must not rely on it for
    /// correct behaviour. Names that begin with `_` are free for extensions. Schema: `SessionConfigOptionCategory`.
    public struct SessionConfigOptionCategory: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The agent's mode of operation.
        public static let mode = Self(rawValue: "mode")
        /// The model.
        public static let model = Self(rawValue: "model")
        /// A parameter of the model.
        public static let modelConfig = Self(rawValue: "model_config")
        /// The amount of thinking.
        public static let thoughtLevel = Self(rawValue: "thought_level")

        public static let allCases = [mode, model, modelConfig, thoughtLevel]
    }

    /// A Boolean option. Only for clients that accept options of type `boolean`. Schema: `SessionConfigBoolean`.
    public struct SessionConfigBoolean: Codable, Hashable, Sendable {
        /// The current value.
        public var currentValue: Bool

        public init(currentValue: Bool) {
            self.currentValue = currentValue
        }
    }

    /// The session's options have changed. Schema: `ConfigOptionUpdate`.
    public struct ConfigOptionUpdate: Object {
        /// All options and their values.
        @Lossy public var configOptions: [SessionConfigOption]
        public var otherMembers: OtherMembers

        public init(configOptions: [SessionConfigOption] = [], meta: RawJSON? = nil) {
            self.configOptions = configOptions
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
