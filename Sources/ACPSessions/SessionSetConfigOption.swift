import ACPBase
import ACPMethods
import JSONCoding

extension ACP.Agent {
    /// Sets an option of a session. Schema: `SetSessionConfigOptionRequest`.
    public struct SessionSetConfigOptionRequest: ACP.Request {
        public typealias Response = SessionSetConfigOptionResponse
        public static let method = ACPMethod.sessionSetConfigOption.name

        /// The session to change.
        public var sessionId: ACP.SessionId
        /// The id of one of the session's `configOptions`.
        public var configId: ACP.SessionConfigId
        /// The new value.
        public var value: ACP.SessionConfigValue
        public var otherMembers: OtherMembers

        public init(
            sessionId: ACP.SessionId, configId: ACP.SessionConfigId, value: ACP.SessionConfigValue,
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
        @Lossy public var configOptions: [ACP.SessionConfigOption]
        public var otherMembers: OtherMembers

        public init(configOptions: [ACP.SessionConfigOption] = [], meta: RawJSON? = nil) {
            self.configOptions = configOptions
            otherMembers = OtherMembers(meta: meta)
        }
    }
}

// MARK: - Coding

extension ACP.Agent.SessionSetConfigOptionRequest {
    private enum CodingKeys: CodingKey { case sessionId, configId, type, value }

    /// The members that requests for options of all types have in common.
    private struct Common: Codable {
        var sessionId: ACP.SessionId
        var configId: ACP.SessionConfigId
        var otherMembers: OtherMembers
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let isBoolean = try? container.decode(String.self, forKey: .type) == "boolean"
        if isBoolean == true {
            value = .boolean(try container.decode(Bool.self, forKey: .value))
        } else if let id = try? container.decode(ACP.SessionConfigValueId.self, forKey: .value) {
            value = .id(id)
        } else {
            value = .unknown(try container.decode(RawJSON.self, forKey: .value))
        }
        let common = try Common(from: decoder.taking(isBoolean == true ? ["type", "value"] : ["value"]))
        sessionId = common.sessionId
        configId = common.configId
        otherMembers = common.otherMembers
    }

    public func encode(to encoder: any Encoder) throws {
        try Common(sessionId: sessionId, configId: configId, otherMembers: otherMembers).encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch value {
        case .id(let id): try container.encode(id, forKey: .value)
        case .boolean(let bool):
            try container.encode("boolean", forKey: .type)
            try container.encode(bool, forKey: .value)
        case .unknown(let raw): try container.encode(raw, forKey: .value)
        }
    }
}

extension ACP {
    /// The new value of an option.
    public enum SessionConfigValue: Hashable, Sendable {
        /// The id of a value of a `select` option.
        case id(SessionConfigValueId)
        /// The value of a `boolean` option. It is sent with `"type":"boolean"`.
        case boolean(Bool)
        /// Neither of them; the JSON is kept unchanged. Its `type` is in the request's `otherMembers`.
        case unknown(RawJSON)
    }
}
