import JSONCoding

extension ACP.Agent {
    /// Unstable. Replaces the whole configuration of a provider. Schema: `SetProviderRequest`.
    public struct ProvidersSetRequest: ACP.Request {
        public typealias Response = ProvidersSetResponse
        public static let method = "providers/set"

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
}
