import ACPBase
import ACPMethods
import ACPSessions
import JSONCoding

extension ACP {
    /// The way in which the user is asked.
    public enum ElicitationMode: Hashable, Sendable {
        /// With a form.
        case form(ElicitationFormMode)
        /// With a URL to open.
        case url(ElicitationUrlMode)
        /// An unknown mode. Clients must not show it as a known one. Its members are in the request's
        /// `otherMembers`.
        case unknown(mode: String)
    }

    /// The session or the request that a question belongs to.
    public enum ElicitationScope: Hashable, Sendable {
        /// A session, and optionally one of its tool calls.
        case session(ElicitationSessionScope)
        /// A request from the client, before a session exists.
        case request(ElicitationRequestScope)
    }
}

extension ACP.Client {
    /// Asks the user for input: `{"mode":"form","message":"Which?","sessionId":"s1","requestedSchema":{…}}`. Only
    /// for clients with the `elicitation` capability. Schema: `CreateElicitationRequest`.
    public struct ElicitationCreateRequest: ACP.Request {
        public typealias Response = ElicitationCreateResponse
        public static let method = ACPMethod.elicitationCreate.name

        /// The question to show to the user.
        public var message: String
        /// The way in which the user is asked; `mode` on the wire, next to that mode's members.
        public var mode: ACP.ElicitationMode
        /// The session or the request that the question belongs to; `sessionId` or `requestId` on the wire.
        public var scope: ACP.ElicitationScope
        public var otherMembers: OtherMembers

        public init(
            message: String, mode: ACP.ElicitationMode, scope: ACP.ElicitationScope, meta: RawJSON? = nil
        ) {
            self.message = message
            self.mode = mode
            self.scope = scope
            otherMembers = OtherMembers(meta: meta)
        }
    }
}

// MARK: - Coding

extension ACP.Client.ElicitationCreateRequest {
    /// The members that requests of all modes and scopes have in common.
    private struct Common: Codable {
        var message: String
        var otherMembers: OtherMembers
    }

    public init(from decoder: any Decoder) throws {
        mode = try ACP.ElicitationMode(from: decoder)
        scope = try ACP.ElicitationScope(from: decoder)
        let common = try Common(from: decoder.taking(mode.memberNames + scope.memberNames))
        message = common.message
        otherMembers = common.otherMembers
    }

    public func encode(to encoder: any Encoder) throws {
        try mode.encode(to: encoder)
        try scope.encode(to: encoder)
        try Common(message: message, otherMembers: otherMembers).encode(to: encoder)
    }
}

extension ACP.ElicitationMode {
    private enum CodingKeys: CodingKey { case mode }

    fileprivate init(from decoder: any Decoder) throws {
        switch try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .mode) {
        case "form": self = .form(try ACP.ElicitationFormMode(from: decoder))
        case "url": self = .url(try ACP.ElicitationUrlMode(from: decoder))
        case let mode: self = .unknown(mode: mode)
        }
    }

    fileprivate func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .form(let form):
            try container.encode("form", forKey: .mode)
            try form.encode(to: encoder)
        case .url(let url):
            try container.encode("url", forKey: .mode)
            try url.encode(to: encoder)
        case .unknown(let mode): try container.encode(mode, forKey: .mode)
        }
    }

    fileprivate var memberNames: [String] {
        switch self {
        case .form: ["mode", "requestedSchema"]
        case .url: ["mode", "elicitationId", "url"]
        case .unknown: ["mode"]
        }
    }
}

extension ACP.ElicitationScope {
    fileprivate init(from decoder: any Decoder) throws {
        if try decoder.hasMember("requestId") && !decoder.hasMember("sessionId") {
            self = .request(try ACP.ElicitationRequestScope(from: decoder))
        } else {
            self = .session(try ACP.ElicitationSessionScope(from: decoder))
        }
    }

    fileprivate func encode(to encoder: any Encoder) throws {
        switch self {
        case .session(let scope): try scope.encode(to: encoder)
        case .request(let scope): try scope.encode(to: encoder)
        }
    }

    fileprivate var memberNames: [String] {
        switch self {
        case .session: ["sessionId", "toolCallId"]
        case .request: ["requestId"]
        }
    }
}

extension ACP {
    /// A form to fill in. Must not be used for secrets. Schema: `ElicitationFormMode`.
    public struct ElicitationFormMode: Codable, Hashable, Sendable {
        /// The fields of the form.
        public var requestedSchema: ElicitationSchema

        public init(requestedSchema: ElicitationSchema) {
            self.requestedSchema = requestedSchema
        }
    }

    /// A URL to open. The request is answered when the user agrees to open the URL; `elicitation/complete` reports
    /// that the interaction is complete. Schema: `ElicitationUrlMode`.
    public struct ElicitationUrlMode: Codable, Hashable, Sendable {
        /// The id that `elicitation/complete` refers to.
        public var elicitationId: ElicitationId
        /// The URL.
        public var url: String

        public init(elicitationId: ElicitationId, url: String) {
            self.elicitationId = elicitationId
            self.url = url
        }
    }

    /// Links a question to a session. Schema: `ElicitationSessionScope`.
    public struct ElicitationSessionScope: Codable, Hashable, Sendable {
        /// The session that asks the question.
        public var sessionId: SessionId
        /// The tool call that asks the question.
        @Lenient public var toolCallId: ToolCallId?

        public init(sessionId: SessionId, toolCallId: ToolCallId? = nil) {
            self.sessionId = sessionId
            self.toolCallId = toolCallId
        }
    }

    /// Links a question to a request from the client, before a session exists. Schema: `ElicitationRequestScope`.
    public struct ElicitationRequestScope: Codable, Hashable, Sendable {
        /// The JSON-RPC id of the client's request.
        public var requestId: RequestId

        public init(requestId: RequestId) {
            self.requestId = requestId
        }
    }
}
