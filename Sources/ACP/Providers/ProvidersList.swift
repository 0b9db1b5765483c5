import JSONCoding

extension ACP.Agent {
    /// Unstable. Lists the providers to which the agent can send model requests. The list is per agent process, not
    /// per session. Schema: `ListProvidersRequest`.
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
    /// Unstable. The providers and their configurations. Schema: `ListProvidersResponse`.
    public struct ProvidersListResponse: ACP.Object {
        /// All providers that can be configured.
        public var providers: [ACP.ProviderInfo]
        public var otherMembers: OtherMembers

        public init(providers: [ACP.ProviderInfo], meta: RawJSON? = nil) {
            self.providers = providers
            otherMembers = OtherMembers(meta: meta)
        }
    }
}

extension ACP {
    /// Unstable. A model provider. Schema: `ProviderInfo`.
    public struct ProviderInfo: Object {
        /// The id for `providers/set`.
        public var providerId: ProviderId
        /// The protocols that the provider supports.
        @Lossy public var supported: [LlmProtocol]
        /// True when the provider cannot be disabled.
        public var required: Bool
        /// The provider's configuration without secrets; absent when the provider is disabled.
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
    /// Unstable. The configuration of a provider. Schema: `ProviderCurrentConfig`.
    public struct ProviderCurrentConfig: Object {
        /// The protocol of requests to the provider.
        public var apiType: LlmProtocol
        /// The base URL.
        public var baseUrl: String
        public var otherMembers: OtherMembers

        public init(apiType: LlmProtocol, baseUrl: String, meta: RawJSON? = nil) {
            self.apiType = apiType
            self.baseUrl = baseUrl
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
