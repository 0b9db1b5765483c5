import ACPBase
import ACPMethods
import ACPSessions
import JSONCoding

extension ACP.V2.Agent {
    /// Sets an option of a session. Schema: `SetSessionConfigOptionRequest`.
    public struct SessionSetConfigOptionRequest: ACP.Request {
        public typealias Response = SessionSetConfigOptionResponse
        public static let method = ACPMethod.sessionSetConfigOption.name

        /// The session to change.
        public var sessionId: ACP.SessionId
        /// The id of one of the session's `configOptions`.
        public var configId: ACP.SessionConfigId
        /// The new value; `type` and `value` on the wire.
        public var value: ACP.V2.SessionConfigValue
        public var otherMembers: OtherMembers

        public init(
            sessionId: ACP.SessionId, configId: ACP.SessionConfigId, value: ACP.V2.SessionConfigValue,
            meta: RawJSON? = nil
        ) {
            self.sessionId = sessionId
            self.configId = configId
            self.value = value
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The option is set. Setting one option can change others. Schema: `SetSessionConfigOptionResponse`.
    public struct SessionSetConfigOptionResponse: ACP.Object {
        /// All options and their values, including the unchanged ones.
        @Lossy public var configOptions: [ACP.V2.SessionConfigOption]
        public var otherMembers: OtherMembers

        public init(configOptions: [ACP.V2.SessionConfigOption] = [], meta: RawJSON? = nil) {
            self.configOptions = configOptions
            otherMembers = OtherMembers(meta: meta)
        }
    }
}

extension ACP.V2 {
    /// The new value of an option.
    public enum SessionConfigValue: Hashable, Sendable {
        /// The id of a value of a `select` option: `{"type":"id","value":"fast"}`.
        case id(ACP.SessionConfigValueId)
        /// The value of a `boolean` option: `{"type":"boolean","value":true}`.
        case boolean(Bool)
        /// A value of an unknown type; its JSON is kept unchanged.
        case unknown(type: String, RawJSON)
    }
}

// MARK: - Coding

extension ACP.V2.Agent.SessionSetConfigOptionRequest {
    private enum CodingKeys: CodingKey { case type, value }

    /// The members that requests for options of all types have in common.
    private struct Common: Codable {
        var sessionId: ACP.SessionId
        var configId: ACP.SessionConfigId
        var otherMembers: OtherMembers
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch try container.decode(String.self, forKey: .type) {
        case "id": value = .id(try container.decode(ACP.SessionConfigValueId.self, forKey: .value))
        case "boolean": value = .boolean(try container.decode(Bool.self, forKey: .value))
        case let type: value = .unknown(type: type, try container.decode(RawJSON.self, forKey: .value))
        }
        let common = try Common(from: decoder.taking("type", "value"))
        sessionId = common.sessionId
        configId = common.configId
        otherMembers = common.otherMembers
    }

    public func encode(to encoder: any Encoder) throws {
        try Common(sessionId: sessionId, configId: configId, otherMembers: otherMembers).encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch value {
        case .id(let id):
            try container.encode("id", forKey: .type)
            try container.encode(id, forKey: .value)
        case .boolean(let bool):
            try container.encode("boolean", forKey: .type)
            try container.encode(bool, forKey: .value)
        case .unknown(let type, let raw):
            try container.encode(type, forKey: .type)
            try container.encode(raw, forKey: .value)
        }
    }
}
