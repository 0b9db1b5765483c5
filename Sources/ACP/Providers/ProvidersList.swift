import JSONCoding

extension ACP.Agent {
    /// Unstable. Asks where the agent may send its requests to models. Holds for the process, not for a session.
    /// Schema: `ListProvidersRequest`.
    public struct ProvidersListRequest: ACP.Request, DecodableFromNull {
        public typealias Response = ProvidersListResponse
        public static let method = "providers/list"

        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }
}

extension ACP.Agent {
    /// Unstable. The providers, and how they are set up. Schema: `ListProvidersResponse`.
    public struct ProvidersListResponse: ACP.Object {
        /// All that can be set.
        public var providers: [ACP.ProviderInfo]
        public var otherMembers: OtherMembers

        public init(providers: [ACP.ProviderInfo], meta: RawJSON? = nil) {
            self.providers = providers
            otherMembers = OtherMembers(meta: meta)
        }
    }
}

extension ACP {
    /// Unstable. A place where models are asked. Schema: `ProviderInfo`.
    public struct ProviderInfo: Object {
        /// For `providers/set`.
        public var providerId: ProviderId
        /// The protocols it can be asked in.
        @Lossy public var supported: [LlmProtocol]
        /// True when it cannot be disabled.
        public var required: Bool
        /// How it is set up, without secrets; absent when it is disabled.
        public var current: ProviderCurrentConfig?
        public var otherMembers: OtherMembers

        public init(
            providerId: ProviderId, required: Bool, supported: [LlmProtocol] = [],
            current: ProviderCurrentConfig? = nil, meta: RawJSON? = nil
        ) {
            self.providerId = providerId
            self.supported = supported
            self.required = required
            self.current = current
            otherMembers = OtherMembers(meta: meta)
        }
    }
}

extension ACP {
    /// Unstable. How a provider is set up. Schema: `ProviderCurrentConfig`.
    public struct ProviderCurrentConfig: Object {
        /// The protocol it is asked in.
        public var apiType: LlmProtocol
        /// Its address.
        public var baseUrl: String
        public var otherMembers: OtherMembers

        public init(apiType: LlmProtocol, baseUrl: String, meta: RawJSON? = nil) {
            self.apiType = apiType
            self.baseUrl = baseUrl
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
