import JSONCoding

extension ACP.Agent {
    /// The first message of a connection: what the client speaks and can do. The agent answers with the version that
    /// both will speak. Schema: `InitializeRequest`.
    public struct InitializeRequest: ACP.Request {
        public typealias Response = InitializeResponse
        public static let method = "initialize"

        /// The latest version that the client supports.
        public var protocolVersion: ACP.ProtocolVersion
        /// What the agent may ask of the client. What is absent is not supported.
        @Lenient public var clientCapabilities: ACP.ClientCapabilities
        /// Who the client is, for logs and for the user.
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

    /// The version that is spoken from now on, and what the agent can do. Schema: `InitializeResponse`.
    public struct InitializeResponse: ACP.Object {
        /// The client's version if the agent supports it, else the latest that the agent supports. A client that does
        /// not support that one closes the connection.
        public var protocolVersion: ACP.ProtocolVersion
        /// What the client may ask of the agent. What is absent is not supported.
        @Lenient public var agentCapabilities: ACP.AgentCapabilities
        /// The ways to log in, for when a request is answered with `authenticationRequired`.
        @Lenient public var authMethods: [ACP.AuthMethod]
        /// Who the agent is, for logs and for the user.
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
