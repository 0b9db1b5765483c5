import JSONCoding

extension ACP.Agent {
    /// Unstable. Disables a provider. Schema: `DisableProviderRequest`.
    public struct ProvidersDisableRequest: ACP.Request {
        public typealias Response = ProvidersDisableResponse
        public static let method = "providers/disable"

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
