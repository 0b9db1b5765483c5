import ACPBase
import ACPNextEdits
import JSONCoding

extension ACP {
    /// The capabilities of an agent, valid for the whole connection. Schema: `AgentCapabilities`.
    public struct AgentCapabilities: Object, AbsenceMeans {
        public static let absent = Self()

        /// True when the agent supports `session/load`.
        @Lenient public var loadSession: Bool
        /// The content that the agent accepts in a prompt besides text and links.
        @Lenient public var promptCapabilities: PromptCapabilities
        /// The transports to MCP servers that the agent supports besides standard input and output.
        @Lenient public var mcpCapabilities: McpCapabilities
        /// The session methods that the agent supports beyond the required ones.
        @Lenient public var sessionCapabilities: SessionCapabilities
        /// The agent's capabilities for authentication.
        @Lenient public var auth: AgentAuthCapabilities
        /// Unstable. Present when the agent supports the `providers/` methods.
        @Lenient public var providers: ProvidersCapabilities?
        /// Unstable. Present when the agent supports the `nes/` methods.
        @Lenient public var nes: NesCapabilities?
        /// Unstable. The unit in which characters are counted on this connection, chosen from the client's list.
        @Lenient public var positionEncoding: PositionEncodingKind?
        public var otherMembers: OtherMembers

        public init(
            loadSession: Bool = false, promptCapabilities: PromptCapabilities = .init(),
            mcpCapabilities: McpCapabilities = .init(), sessionCapabilities: SessionCapabilities = .init(),
            auth: AgentAuthCapabilities = .init(), providers: ProvidersCapabilities? = nil,
            nes: NesCapabilities? = nil, positionEncoding: PositionEncodingKind? = nil, meta: RawJSON? = nil
        ) {
            self.loadSession = loadSession
            self.promptCapabilities = promptCapabilities
            self.mcpCapabilities = mcpCapabilities
            self.sessionCapabilities = sessionCapabilities
            self.auth = auth
            self.providers = providers
            self.nes = nes
            self.positionEncoding = positionEncoding
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The content that an agent accepts in a prompt besides text and links. Schema: `PromptCapabilities`.
    public struct PromptCapabilities: Object, AbsenceMeans {
        public static let absent = Self()

        /// True when the agent accepts images.
        @Lenient public var image: Bool
        /// True when the agent accepts audio.
        @Lenient public var audio: Bool
        /// True when the agent accepts embedded resources.
        @Lenient public var embeddedContext: Bool
        public var otherMembers: OtherMembers

        public init(image: Bool = false, audio: Bool = false, embeddedContext: Bool = false, meta: RawJSON? = nil) {
            self.image = image
            self.audio = audio
            self.embeddedContext = embeddedContext
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The transports to MCP servers that an agent supports besides standard input and output. Schema:
    /// `McpCapabilities`.
    public struct McpCapabilities: Object, AbsenceMeans {
        public static let absent = Self()

        /// True when the agent accepts servers of type `http`.
        @Lenient public var http: Bool
        /// True when the agent accepts servers of type `sse`.
        @Lenient public var sse: Bool
        /// Unstable. True when the agent accepts servers of type `acp`, which it reaches over this ACP connection.
        @Lenient public var acp: Bool
        public var otherMembers: OtherMembers

        public init(http: Bool = false, sse: Bool = false, acp: Bool = false, meta: RawJSON? = nil) {
            self.http = http
            self.sse = sse
            self.acp = acp
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// An agent's capabilities for authentication. Schema: `AgentAuthCapabilities`.
    public struct AgentAuthCapabilities: Object, AbsenceMeans {
        public static let absent = Self()

        /// Present when the agent supports `logout`.
        @Lenient public var logout: LogoutCapabilities?
        public var otherMembers: OtherMembers

        public init(logout: LogoutCapabilities? = nil, meta: RawJSON? = nil) {
            self.logout = logout
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Present when the agent supports `logout`; has no members yet. Schema: `LogoutCapabilities`.
    public struct LogoutCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. Present when the agent supports the `providers/` methods; has no members yet. Schema:
    /// `ProvidersCapabilities`.
    public struct ProvidersCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
