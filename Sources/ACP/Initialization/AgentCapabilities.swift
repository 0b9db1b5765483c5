import JSONCoding

extension ACP {
    /// What an agent can do. They hold for the connection. Schema: `AgentCapabilities`.
    public struct AgentCapabilities: Object, AbsenceMeans {
        public static let absent = Self()

        /// True when `session/load` is there.
        @Lenient public var loadSession: Bool
        /// What a prompt may hold besides text and links.
        @Lenient public var promptCapabilities: PromptCapabilities
        /// How MCP servers are reached besides standard input and output.
        @Lenient public var mcpCapabilities: McpCapabilities
        /// Which session methods there are beyond the minimum.
        @Lenient public var sessionCapabilities: SessionCapabilities
        /// What can be done about logins.
        @Lenient public var auth: AgentAuthCapabilities
        /// Unstable. Present when the `providers/` methods are there.
        @Lenient public var providers: ProvidersCapabilities?
        /// Unstable. Present when the `nes/` methods are there.
        @Lenient public var nes: NesCapabilities?
        /// Unstable. How characters are counted from now on: one of the client's.
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

    /// What a prompt may hold besides text and links. Schema: `PromptCapabilities`.
    public struct PromptCapabilities: Object, AbsenceMeans {
        public static let absent = Self()

        /// True when images are taken.
        @Lenient public var image: Bool
        /// True when audio is taken.
        @Lenient public var audio: Bool
        /// True when embedded resources are taken.
        @Lenient public var embeddedContext: Bool
        public var otherMembers: OtherMembers

        public init(image: Bool = false, audio: Bool = false, embeddedContext: Bool = false, meta: RawJSON? = nil) {
            self.image = image
            self.audio = audio
            self.embeddedContext = embeddedContext
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// How an agent reaches MCP servers besides standard input and output. Schema: `McpCapabilities`.
    public struct McpCapabilities: Object, AbsenceMeans {
        public static let absent = Self()

        /// True when servers of type `http` are taken.
        @Lenient public var http: Bool
        /// True when servers of type `sse` are taken.
        @Lenient public var sse: Bool
        /// Unstable. True when servers of type `acp` are taken, over this very connection.
        @Lenient public var acp: Bool
        public var otherMembers: OtherMembers

        public init(http: Bool = false, sse: Bool = false, acp: Bool = false, meta: RawJSON? = nil) {
            self.http = http
            self.sse = sse
            self.acp = acp
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// What an agent can do about logins. Schema: `AgentAuthCapabilities`.
    public struct AgentAuthCapabilities: Object, AbsenceMeans {
        public static let absent = Self()

        /// Present when `logout` is there.
        @Lenient public var logout: LogoutCapabilities?
        public var otherMembers: OtherMembers

        public init(logout: LogoutCapabilities? = nil, meta: RawJSON? = nil) {
            self.logout = logout
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Present when `logout` is there; it holds nothing yet. Schema: `LogoutCapabilities`.
    public struct LogoutCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. Present when the `providers/` methods are there; it holds nothing yet. Schema:
    /// `ProvidersCapabilities`.
    public struct ProvidersCapabilities: Object {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
