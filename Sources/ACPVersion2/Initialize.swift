import ACPBase
import ACPConnection
import ACPMethods
import JSONCoding

extension ACP.V2.Agent {
    /// The first message of a connection. The agent answers with the version that both sides will use; the answer
    /// decides. A client can repeat the message until it sends another request; the last successful answer counts.
    /// Schema: `InitializeRequest`.
    public struct InitializeRequest: ACP.Request {
        public typealias Response = InitializeResponse
        public static let method = ACPMethod.initialize.name

        /// The latest version that the client supports.
        public var protocolVersion: ACP.ProtocolVersion
        /// The client's name and version.
        public var info: ACP.Implementation
        /// The capabilities of the client. An absent capability is not supported.
        @Lenient public var capabilities: ACP.V2.ClientCapabilities
        public var otherMembers: OtherMembers

        public init(
            info: ACP.Implementation, capabilities: ACP.V2.ClientCapabilities = .init(),
            protocolVersion: ACP.ProtocolVersion = .v2, meta: RawJSON? = nil
        ) {
            self.protocolVersion = protocolVersion
            self.info = info
            self.capabilities = capabilities
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The protocol version of the connection, and the agent's capabilities. An agent of version 1 answers with
    /// `ACP.Agent.InitializeResponse` instead, so read `protocolVersion` first. Schema: `InitializeResponse`.
    public struct InitializeResponse: ACP.Object {
        /// The client's version if the agent supports it, else the latest version that the agent supports.
        public var protocolVersion: ACP.ProtocolVersion
        /// The agent's name and version.
        public var info: ACP.Implementation
        /// The capabilities of the agent. An absent capability is not supported.
        @Lenient public var capabilities: ACP.V2.AgentCapabilities
        /// The available login methods. If there are none, `auth/login` and `auth/logout` must not be sent.
        @Lenient public var authMethods: [ACP.V2.AuthMethod]
        public var otherMembers: OtherMembers

        public init(
            info: ACP.Implementation, capabilities: ACP.V2.AgentCapabilities = .init(),
            authMethods: [ACP.V2.AuthMethod] = [], protocolVersion: ACP.ProtocolVersion = .v2, meta: RawJSON? = nil
        ) {
            self.protocolVersion = protocolVersion
            self.info = info
            self.capabilities = capabilities
            self.authMethods = authMethods
            otherMembers = OtherMembers(meta: meta)
        }
    }
}

extension ACP.V2 {
    /// The capabilities of a client. Child sessions, notices, compaction, background work and idempotency keys need
    /// none. Schema: `ClientCapabilities`.
    public struct ClientCapabilities: ACP.Object, AbsenceMeans {
        public static let absent = Self()

        /// The login methods that the agent can offer.
        @Lenient public var auth: ClientAuthCapabilities?
        /// The ways in which the agent can ask the user for input.
        @Lenient public var elicitation: ACP.ElicitationCapabilities?
        public var otherMembers: OtherMembers

        public init(
            auth: ClientAuthCapabilities? = nil, elicitation: ACP.ElicitationCapabilities? = nil,
            meta: RawJSON? = nil
        ) {
            self.auth = auth
            self.elicitation = elicitation
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The login methods that a client can offer to its user. Schema: `AuthCapabilities`.
    public struct ClientAuthCapabilities: ACP.Object {
        /// Present when the client can run the agent's command in a terminal for the user to log in.
        @Lenient public var terminal: SupportMarker?
        public var otherMembers: OtherMembers

        public init(terminal: SupportMarker? = nil, meta: RawJSON? = nil) {
            self.terminal = terminal
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The capabilities of an agent. Schema: `AgentCapabilities`.
    public struct AgentCapabilities: ACP.Object, AbsenceMeans {
        public static let absent = Self()

        /// Present when the agent has sessions: `session/new`, `list`, `resume`, `close`, `prompt`, `cancel` and
        /// `update`, and idempotency keys of prompts.
        @Lenient public var session: SessionCapabilities?
        /// The agent's capabilities for authentication; has no members yet.
        @Lenient public var auth: SupportMarker?
        public var otherMembers: OtherMembers

        public init(session: SessionCapabilities? = nil, auth: SupportMarker? = nil, meta: RawJSON? = nil) {
            self.session = session
            self.auth = auth
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The parts of sessions that an agent supports beyond the required methods. Schema: `SessionCapabilities`.
    public struct SessionCapabilities: ACP.Object {
        /// The content that the agent accepts in a prompt besides text and links.
        @Lenient public var prompt: PromptCapabilities?
        /// The transports to MCP servers that the agent supports.
        @Lenient public var mcp: McpCapabilities?
        /// Present when the agent supports `session/delete`.
        @Lenient public var delete: SupportMarker?
        /// Present when a session can have more than one root.
        @Lenient public var additionalDirectories: SupportMarker?
        /// Unstable. Present when the agent supports `session/fork`.
        @Lenient public var fork: SupportMarker?
        public var otherMembers: OtherMembers

        public init(
            prompt: PromptCapabilities? = nil, mcp: McpCapabilities? = nil, delete: SupportMarker? = nil,
            additionalDirectories: SupportMarker? = nil, fork: SupportMarker? = nil, meta: RawJSON? = nil
        ) {
            self.prompt = prompt
            self.mcp = mcp
            self.delete = delete
            self.additionalDirectories = additionalDirectories
            self.fork = fork
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The content that an agent accepts in a prompt besides text and links. Schema: `PromptCapabilities`.
    public struct PromptCapabilities: ACP.Object {
        /// Present when the agent accepts images.
        @Lenient public var image: SupportMarker?
        /// Present when the agent accepts audio.
        @Lenient public var audio: SupportMarker?
        /// Present when the agent accepts embedded resources.
        @Lenient public var embeddedContext: SupportMarker?
        public var otherMembers: OtherMembers

        public init(
            image: SupportMarker? = nil, audio: SupportMarker? = nil, embeddedContext: SupportMarker? = nil,
            meta: RawJSON? = nil
        ) {
            self.image = image
            self.audio = audio
            self.embeddedContext = embeddedContext
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The transports to MCP servers that an agent supports. Schema: `McpCapabilities`.
    public struct McpCapabilities: ACP.Object {
        /// Present when the agent accepts servers of type `stdio`.
        @Lenient public var stdio: SupportMarker?
        /// Present when the agent accepts servers of type `http`.
        @Lenient public var http: SupportMarker?
        public var otherMembers: OtherMembers

        public init(stdio: SupportMarker? = nil, http: SupportMarker? = nil, meta: RawJSON? = nil) {
            self.stdio = stdio
            self.http = http
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
