import ACPBase
import ACPMethods
import JSONCoding

extension ACP.Agent {
    /// Unstable. Lists the providers to which the agent can send model requests. The list is per agent process, not
    /// per session. Schema: `ListProvidersRequest`.
    public struct ProvidersListRequest: ACP.Request, DecodableFromNull {
        public typealias Response = ProvidersListResponse
        public static let method = ACPMethod.providersList.name

        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

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

extension ACP.Agent {
    /// Unstable. Replaces the whole configuration of a provider. Schema: `SetProviderRequest`.
    public struct ProvidersSetRequest: ACP.Request {
        public typealias Response = ProvidersSetResponse
        public static let method = ACPMethod.providersSet.name

        /// The id of the provider.
        public var providerId: ACP.ProviderId
        /// The protocol of requests to the provider.
        public var apiType: ACP.LlmProtocol
        /// The base URL.
        public var baseUrl: String
        /// Headers to send with each request. They can contain secrets.
        public var headers: [String: String]?
        public var otherMembers: OtherMembers

        public init(
            providerId: ACP.ProviderId, apiType: ACP.LlmProtocol, baseUrl: String, headers: [String: String]? = nil,
            meta: RawJSON? = nil
        ) {
            self.providerId = providerId
            self.apiType = apiType
            self.baseUrl = baseUrl
            self.headers = headers
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. The provider is configured. Schema: `SetProviderResponse`.
    public struct ProvidersSetResponse: ACP.Object, DecodableFromNull {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. Disables a provider. Schema: `DisableProviderRequest`.
    public struct ProvidersDisableRequest: ACP.Request {
        public typealias Response = ProvidersDisableResponse
        public static let method = ACPMethod.providersDisable.name

        /// The id of the provider.
        public var providerId: ACP.ProviderId
        public var otherMembers: OtherMembers

        public init(providerId: ACP.ProviderId, meta: RawJSON? = nil) {
            self.providerId = providerId
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// Unstable. The provider is disabled. Schema: `DisableProviderResponse`.
    public struct ProvidersDisableResponse: ACP.Object, DecodableFromNull {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }
}

extension ACP {
    /// Unstable. Identifies a model provider. Schema: `ProviderId`.
    public struct ProviderId: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// Unstable. A protocol for requests to models. Names that begin with `_` are free for extensions. Schema:
    /// `LlmProtocol`.
    public struct LlmProtocol: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Anthropic's protocol.
        public static let anthropic = Self(rawValue: "anthropic")
        /// OpenAI's protocol.
        public static let openai = Self(rawValue: "openai")
        /// Azure's protocol.
        public static let azure = Self(rawValue: "azure")
        /// Google Vertex's protocol.
        public static let vertex = Self(rawValue: "vertex")
        /// Amazon Bedrock's protocol.
        public static let bedrock = Self(rawValue: "bedrock")

        public static let allCases = [anthropic, openai, azure, vertex, bedrock]
    }
}
