import JSONCoding

extension ACP.Agent {
    /// The first message of a connection: the client's protocol version and capabilities. The agent responds with
    /// the version that both sides will use. Schema: `InitializeRequest`.
    public struct InitializeRequest: ACP.Request {
        public typealias Response = InitializeResponse
        public static let method = "initialize"

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
