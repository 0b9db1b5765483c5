import JSONCoding

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
}
