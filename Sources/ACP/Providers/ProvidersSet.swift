import JSONCoding

extension ACP.Agent {
    /// Unstable. Sets a provider up, whole. Schema: `SetProviderRequest`.
    public struct ProvidersSetRequest: ACP.Request {
        public typealias Response = ProvidersSetResponse
        public static let method = "providers/set"

        /// Which one.
        public var providerId: ACP.ProviderId
        /// The protocol it is asked in.
        public var apiType: ACP.LlmProtocol
        /// Its address.
        public var baseUrl: String
        /// Sent with each request; may hold secrets.
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

    /// Unstable. The provider is set up. Schema: `SetProviderResponse`.
    public struct ProvidersSetResponse: ACP.Object, DecodableFromNull {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
