import JSONCoding

extension ACP.Agent {
    /// Logs in with one of the agent's own methods, not with one of type `terminal`. Schema: `AuthenticateRequest`.
    public struct AuthenticateRequest: ACP.Request {
        public typealias Response = AuthenticateResponse
        public static let method = "authenticate"

        /// The `id` of one of the methods in the response to `initialize`.
        public var methodId: ACP.AuthMethodId
        public var otherMembers: OtherMembers

        public init(methodId: ACP.AuthMethodId, meta: RawJSON? = nil) {
            self.methodId = methodId
            otherMembers = OtherMembers(meta: meta)
        }
    }

    /// The login succeeded. Schema: `AuthenticateResponse`.
    public struct AuthenticateResponse: ACP.Object, DecodableFromNull {
        public var otherMembers: OtherMembers

        public init(meta: RawJSON? = nil) {
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
