import ACPBase
import ACPMethods
import JSONCoding

extension ACP.Agent {
    /// The first message of a connection: the client's protocol version and capabilities. The agent responds with
    /// the version that both sides will use. Schema: `InitializeRequest`.
    public struct InitializeRequest: ACP.Request {
        public typealias Response = InitializeResponse
        public static let method = ACPMethod.initialize.name

        /// The latest version that the client supports.
        public var protocolVersion: ACP.ProtocolVersion
        /// The capabilities of the client. An absent capability is not supported.
        @Lenient public var clientCapabilities: ACP.ClientCapabilities
        /// The client's name and version, for logs and for the user.
        @Lenient public var clientInfo: ACP.Implementation?
        public var otherMembers: OtherMembers

        public init(
            protocolVersion: ACP.ProtocolVersion, clientCapabilities: ACP.ClientCapabilities = .init(),
            clientInfo: ACP.Implementation? = nil, meta: RawJSON? = nil
        ) {
            self.protocolVersion = protocolVersion
            self.clientCapabilities = clientCapabilities
            self.clientInfo = clientInfo
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The protocol version of the connection, and the agent's capabilities. Schema: `InitializeResponse`.
    public struct InitializeResponse: ACP.Object {
        /// The client's version if the agent supports it, else the latest version that the agent supports. A client
        /// that does not support that version closes the connection.
        public var protocolVersion: ACP.ProtocolVersion
        /// The capabilities of the agent. An absent capability is not supported.
        @Lenient public var agentCapabilities: ACP.AgentCapabilities
        /// The available login methods, for use when a request fails with `authenticationRequired`.
        @Lenient public var authMethods: [ACP.AuthMethod]
        /// The agent's name and version, for logs and for the user.
        @Lenient public var agentInfo: ACP.Implementation?
        public var otherMembers: OtherMembers

        public init(
            protocolVersion: ACP.ProtocolVersion, agentCapabilities: ACP.AgentCapabilities = .init(),
            authMethods: [ACP.AuthMethod] = [], agentInfo: ACP.Implementation? = nil, meta: RawJSON? = nil
        ) {
            self.protocolVersion = protocolVersion
            self.agentCapabilities = agentCapabilities
            self.authMethods = authMethods
            self.agentInfo = agentInfo
            otherMembers = OtherMembers(meta: meta)
        }
    }
}

extension ACP {
    /// The name and version of a client or an agent: `{"name":"my-editor","title":"My Editor","version":"1.2.0"}`.
    /// Schema: `Implementation`.
    public struct Implementation: Object {
        /// The name for programs; also shown to users when there is no title.
        public var name: String
        /// The name to show to users.
        @Lenient public var title: String?
        /// The version, in any format; for logs.
        public var version: String
        public var otherMembers: OtherMembers

        public init(name: String, version: String, title: String? = nil, meta: RawJSON? = nil) {
            self.name = name
            self.title = title
            self.version = version
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// A version of the protocol: a whole number that grows with each breaking change. Schema: `ProtocolVersion`.
    public struct ProtocolVersion: OpenEnum, ExpressibleByIntegerLiteral {
        public let rawValue: UInt16
        public init(rawValue: UInt16) { self.rawValue = rawValue }
        public init(integerLiteral value: UInt16) { self.init(rawValue: value) }

        /// Version 1: the types in `ACP`.
        public static let v1 = Self(rawValue: 1)
        /// Version 2: the types in `ACP.V2`.
        public static let v2 = Self(rawValue: 2)

        public static let allCases = [v1, v2]
    }
}
