import JSONCoding

extension ACP {
    /// Names an option of a session. Schema: `SessionConfigId`.
    public struct SessionConfigId: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// Names a value of an option. Schema: `SessionConfigValueId`.
    public struct SessionConfigValueId: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// Names a group of values. Schema: `SessionConfigGroupId`.
    public struct SessionConfigGroupId: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}
